// What happens in flows, for observers; and an expression that fails, for its author and the customer.
import { say, turnOf } from '../../../dialogs/index.ts';
import { faultFields } from '../../platform/log.ts';
import type { ExpressionFault } from '../grammar/expressions.ts';
import type { Fault } from '../grammar/fault.ts';
import type { OutcomeName } from '../grammar/schema.ts';
import type { LoadedFlows } from '../load-flows.ts';
import { pathIn, type StepPlace } from '../program.ts';
import type { TurnContext } from '../sdk.ts';
import { type RunState, top } from './run-state.ts';

export interface FlowEvent {
  /** The flow that was started, or the flow with the current step. */
  readonly flow: string;
  readonly version: string;
  /** The channel's id of the conversation. */
  readonly conversation: string;
  readonly begun?: true;
  /** The step that was reached; not set for a retry. */
  readonly reached?: StepPlace;
  /** The edge that was taken. */
  readonly edge?: { readonly place: StepPlace; readonly edge: string };
  /** How the flow ended; `left` if the customer left for something else. */
  readonly ended?: OutcomeName | 'handoff' | 'left';
  /** The step at which it ended, possibly in a flow that it ran. */
  readonly at?: { readonly flow: string; readonly place: StepPlace | undefined };
  /** A fault in the file that only the service could reveal. */
  readonly warning?: Fault;
  /** How long it took (ms), if known. */
  readonly took?: number | undefined;
}

export type Observe = ((event: FlowEvent) => void) | undefined;

type What = Omit<FlowEvent, 'conversation' | 'flow' | 'version'>;

/** Reports something in a run: in its current flow, unless another is given. */
export const report = (
  observe: Observe,
  { activity }: TurnContext,
  { flowVersion: version, frames }: RunState,
  what: What & { readonly flow?: string },
) => observe?.({ flow: frames.at(-1)?.flow ?? '', version, conversation: activity.conversation.id, ...what });

/** Reports the end of a run. */
export const reportEnd = (observe: Observe, context: TurnContext, run: RunState, ended: NonNullable<FlowEvent['ended']>): void => {
  const { begunAt, frames } = run;
  const [outermost, now] = [frames[0], frames.at(-1)];
  const took = begunAt === undefined ? undefined : turnOf(context).services.clock.now() - begunAt;
  report(observe, context, run, { flow: outermost?.flow ?? '', ended, at: { flow: now?.flow ?? '', place: now?.at }, took });
};

/** An expression has failed: the author reads where and why, the customer that the flow has to stop. */
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
    const warning = written.positions.fault(pathIn(at), 'failed-expression', message, { hint: fault.reason, warning: true });
    report(observe, context, state, { warning });
  }
  await say(turn, turn.t('flows.failed'));
};
