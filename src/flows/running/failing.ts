// An expression that fails while a flow runs: the author reads where and why, the customer that the flow has to stop.
import { say, turnOf } from '../../../dialogs/index.ts';
import { faultFields } from '../../platform/log.ts';
import type { ExpressionFault } from '../grammar/expressions.ts';
import type { LoadedFlows } from '../load-flows.ts';
import { pathIn } from '../program.ts';
import type { TurnContext } from '../sdk.ts';
import { type Observe, report } from './events.ts';
import { type RunState, top } from './run-state.ts';

export const reportFailure = async (
  context: TurnContext,
  state: RunState,
  { fault, current, observe }: { readonly fault: ExpressionFault; readonly current: LoadedFlows; readonly observe: Observe },
): Promise<void> => {
  const turn = turnOf(context);
  const { flow, at } = top(state);
  turn.services.log.error(
    { ...faultFields(fault), component: 'flows', operation: `${flow} ${at}` },
    'an expression of a flow could not be worked out',
  );
  const written = current.flows.get(flow);
  // Another version's lines would mislead.
  if (written && at !== undefined && current.flows.get(state.frames[0]?.flow ?? '')?.version === state.flowVersion) {
    const message = `${fault.expression} failed for a customer`;
    const warning = written.places.fault(pathIn(at), { code: 'failed-expression', message, hint: fault.reason, warning: true });
    report(observe, context, state, { warning });
  }
  await say(turn, turn.t('flows.failed'));
};
