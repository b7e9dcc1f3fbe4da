// The state of a conversation in a flow, and how it moves on. It is plain JSON, stored with the dialogs, so that
// commands can find conversations in flight.
import type { AppOptions } from '../../../dialogs/index.ts';
import type { Interaction } from '../../interactions/index.ts';
import type { Value } from '../grammar/expressions.ts';
import type { BranchingStep, FlowSource, OutcomeName, Target } from '../grammar/schema.ts';
import { after, isRetry, isSteps, type StepPlace, stepAt, targetOf } from '../program.ts';

export interface Frame {
  readonly flow: string;
  /** The current step; `undefined` at the end. */
  at: StepPlace | undefined;
  values: Record<string, Value>;
  /** How often steps were retried, by place. */
  tries: Record<string, number>;
  /** What was chosen and filled in before a retry. */
  before?: Before;
}

/** What was chosen and filled in already, or is written in the file. */
export type Before = Omit<NonNullable<AppOptions['before']>, 'again' | 'refused'>;

/** The state of the dialog `run`. */
export interface RunState {
  /** The version, under the name by which commands find conversations in flight. */
  flowVersion: string;
  /** The run's id. */
  run: string;
  /** When it began (epoch ms); absent in runs older than this field. */
  begunAt?: number;
  /** How many messages it has posted. */
  said: number;
  /** The flow, then the one that it runs, and so on. */
  frames: Frame[];
  /**
   * The customer whom a `verify` step has verified, and when verification had last ended in the chat: whoever is there
   * after another end may be somebody else. `lost`: a step has failed for that.
   */
  verified?: { readonly customerRef: string; readonly endedAt?: number };
  lost?: true;
  /** The customer, once known. */
  caller?: { readonly phoneNumber: string; readonly customerRef?: string };
  /** Set if a program started it: the program's id for the run, and the number of requests sent so far. */
  program?: { readonly run: string; sent: number };
  /** The words that started the flow: they may name a choice. */
  named?: string;
}

/**
 * An interaction's outcome as a flow sees it: a refused request is a failure, and one whose end nobody knows a timeout.
 */
export const stepOutcomeOf = ({ outcome, state }: Interaction): OutcomeName =>
  outcome?.status ?? (state === 'refused' ? 'failure' : 'timeout');

/** The outputs of a flow that have values so far. */
export const givenBy = (flow: FlowSource | undefined, frame: Frame | undefined): Readonly<Record<string, Exclude<Value, object>>> =>
  Object.fromEntries(
    Object.keys(flow?.gives ?? {}).flatMap((name) => {
      const value = frame?.values[name];
      return value === undefined || typeof value === 'object' ? [] : [[name, value] as const];
    }),
  );

/** What a retry need not ask for again. */
export const beforeOf = ({ request }: Interaction): Before | undefined => {
  const { productId, documentId, formId, variables } = request as unknown as Readonly<Record<string, never>>;
  const chosen: string | undefined = productId ?? documentId ?? formId;
  return chosen === undefined ? undefined : { chosen, ...(variables !== undefined && { filled: variables }) };
};

/** The result of a move: the edge taken, if any, and the outcome of the whole flow, if it ended. */
export interface Move {
  readonly taken: readonly { readonly flow: string; readonly place: StepPlace; readonly edge: string }[];
  readonly ended?: OutcomeName;
}

type Flows = ReadonlyMap<string, FlowSource>;

export const top = ({ frames }: RunState): Frame => frames.at(-1) as Frame;

/** Takes the edge for an outcome of the step. */
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

/** A flow has ended: the one that ran it continues, or it was the outermost. */
export const finish = (state: RunState, flows: Flows, outcome: OutcomeName): Move => {
  if (state.frames.length === 1) return { taken: [], ended: outcome };
  const frame = state.frames.pop() as Frame;
  return take(state, flows, outcome, outcome === 'success' ? givenBy(flows.get(frame.flow), frame) : {});
};
