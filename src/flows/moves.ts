// How a conversation moves through a flow: where an outcome leads, and what happens when a flow is over. It changes the
// state, and does nothing else.
import type { Value } from './expressions.ts';
import { declared } from './kinds.ts';
import { after, isRetry, isSteps, type StepPlace, stepAt, targetOf } from './program.ts';
import type { Frame, RunState } from './run-state.ts';
import type { BranchingStep, FlowSource, OutcomeName, Target } from './schema.ts';

/** What a move came to: the way that was taken, if any, and how the whole flow ended, if it did. */
export interface Move {
  readonly taken: readonly { readonly flow: string; readonly place: StepPlace; readonly edge: string }[];
  readonly ended?: OutcomeName;
}

type Flows = ReadonlyMap<string, FlowSource>;

export const top = ({ frames }: RunState): Frame => frames.at(-1) as Frame;

/** Takes the way that an outcome of the step leads. */
export const take = (
  state: RunState,
  flows: Flows,
  outcome: OutcomeName,
  fields: Readonly<Record<string, string | number | boolean>>,
): Move => {
  const frame = top(state);
  const flow = flows.get(frame.flow) as FlowSource;
  const place = frame.at as StepPlace;
  const step = stepAt(flow, place) as BranchingStep;
  if (step.as !== undefined) frame.values[step.as] = { status: outcome, ...fields };
  const { edge, key, target } = targetOf(step, outcome);
  const tries = frame.tries[place] ?? 0;
  if (isRetry(target) && tries < target.retry) {
    frame.tries[place] = tries + 1;
    return { taken: [{ flow: frame.flow, place, edge: `${edge} again` }] };
  }
  delete frame.before;
  const taken = { flow: frame.flow, place, edge };
  const [list, to]: [string, Target] = isRetry(target) ? [`${place}.${key}.then`, target.then] : [`${place}.${key}`, target];
  if (to === 'end') {
    const { taken: more, ...move } = finish(state, flows, outcome);
    return { ...move, taken: [taken, ...more] };
  }
  frame.at = isSteps(to) ? `${list}.0` : to === 'next' ? after(flow, place) : `parts.${to}.0`;
  return { taken: [taken] };
};

/** A flow is over: the one that ran it goes on, or it was the outermost. */
export const finish = (state: RunState, flows: Flows, outcome: OutcomeName): Move => {
  if (state.frames.length === 1) return { taken: [], ended: outcome };
  const { flow, values } = state.frames.pop() as Frame;
  const gives = Object.entries(flows.get(flow)?.gives ?? {}).filter(([name, written]) => !declared(written).optional && name in values);
  const fields = outcome === 'success' ? gives.map(([name]) => [name, values[name] as Exclude<Value, object>]) : [];
  return take(state, flows, outcome, Object.fromEntries(fields));
};
