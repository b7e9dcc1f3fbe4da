// What only the service can tell of a file: that something it names is not offered.
import { turnOf } from '../../dialogs/index.ts';
import { argumentOf } from './app-steps.ts';
import { type Observe, tell } from './events.ts';
import { faultLine } from './fault.ts';
import type { LoadedFlows } from './load-flows.ts';
import { pathIn, stepAt } from './program.ts';
import type { Frame, RunState } from './run-state.ts';
import { type BranchingStep, verbOf } from './schema.ts';
import type { DialogContext } from './sdk.ts';

interface Watched {
  readonly current: () => LoadedFlows;
  readonly observe?: Observe;
}

/** Tells that the file names what is not offered, where the run is in the version of the file. */
export const tellUnnamed = ({ current, observe }: Watched, dc: DialogContext): void => {
  const state = dc.stack.at(0)?.state as RunState;
  const { flow: name, at } = state.frames.at(-1) as Frame;
  const { flows } = current();
  const flow = flows.get(name);
  if (!flow || at === undefined || flows.get(state.frames[0]?.flow ?? '')?.version !== state.flowVersion) return;
  const step = stepAt(flow.source, at) as BranchingStep;
  const argument = argumentOf(step);
  if (!argument) return;
  const warning = flow.places.fault([...pathIn(at), verbOf(step) as string, argument.name], {
    code: 'names-nothing',
    message: `no ${argument.name} is named “${argument.written}”`,
    hint: 'use its title or its identifier',
    warning: true,
  });
  // Words of a file are nobody's personal data.
  turnOf(dc.context).services.log.warn({ component: 'flows', operation: `${name} ${at}`, reason: 'names_nothing' }, faultLine(warning));
  tell(observe, dc.context, state, { warning });
};
