// Where a conversation stands in a flow, and how it moves on. The state is plain JSON: it is kept with the dialogs,
// where those who ask what is in flight find it.
import type { Interaction } from '../interactions/index.ts';
import type { Value } from './expressions.ts';
import { declared } from './kinds.ts';
import { after, isRetry, isSteps, type StepPlace, stepAt, targetOf } from './program.ts';
import type { BranchingStep, FlowApp, FlowSource, OutcomeName, Target } from './schema.ts';

export interface Frame {
  readonly flow: string;
  /** The step that is done now; `undefined` at the end. */
  at: StepPlace | undefined;
  values: Record<string, Value>;
  /** How often steps were tried again, by place. */
  tries: Record<string, number>;
  /** What was chosen and filled in before another try. */
  before?: Before;
}

export interface Before {
  readonly chosen: string;
  readonly filled?: Readonly<Record<string, string>>;
  /** The choice is words of the file, in one of these languages. */
  readonly written?: readonly string[];
}

/** The state of the dialog `run`. */
export interface RunState {
  /** The name under which those who ask what is in flight find it. */
  flowVersion: string;
  /** Names this run. */
  run: string;
  /** When it began (epoch ms); absent in one that is older than this. */
  begunAt?: number;
  /** How much was said in it. */
  said: number;
  /** The flow, and in it the one that it runs, and so on. */
  frames: Frame[];
  /** Whose affairs it is about, once that is known. */
  caller?: { readonly phoneNumber: string; readonly customerRef?: string };
  /** A program began it: its name for the run, and how many requests were sent in it. */
  program?: { readonly run: string; sent: number };
  /** The words of the wish: they may name what is to be chosen. */
  named?: string;
}

/**
 * How an interaction ended, as a flow has it: what was refused has failed, and what nobody knows the end of is out of
 * time.
 */
export const stepOutcomeOf = ({ outcome, state }: Interaction): OutcomeName =>
  outcome?.status ?? (state === 'refused' ? 'failure' : 'timeout');

/** What a flow may know of a success. What the result lacks is taken from what was asked for. */
export const fieldsOf = (
  interaction: Interaction,
  price: { readonly amount: number; readonly currency: string } | undefined,
): Readonly<Record<string, string | number>> => {
  const { app, outcome, subject = '' } = interaction;
  const result: Readonly<Record<string, unknown>> = outcome?.result ?? {};
  const text = (name: string, otherwise: string) => (typeof result[name] === 'string' ? result[name] : otherwise);
  const number = (name: string, otherwise: number) => (typeof result[name] === 'number' ? result[name] : otherwise);
  const fields = {
    passkeys: () => ({}),
    'one-time-passcode': () => ({}),
    'document-signature': () => ({ title: text('title', subject) }),
    payments: () => ({
      product: text('product', subject),
      amount: number('amount', price?.amount ?? 0),
      currency: text('currency', price?.currency ?? ''),
      quantity: number('quantity', 1),
    }),
    'e-form': () => ({ title: subject }),
  } satisfies Record<FlowApp, () => Readonly<Record<string, string | number>>>;
  const known: Partial<Record<string, () => Readonly<Record<string, string | number>>>> = fields;
  return known[app]?.() ?? {};
};

/** The outputs of a flow, as far as they have values by now. */
export const givenBy = (flow: FlowSource | undefined, frame: Frame | undefined): Readonly<Record<string, Exclude<Value, object>>> =>
  Object.fromEntries(
    Object.keys(flow?.gives ?? {}).flatMap((name) => {
      const value = frame?.values[name];
      return value === undefined || typeof value === 'object' ? [] : [[name, value] as const];
    }),
  );

/** What another try need not ask for again. */
export const beforeOf = ({ request }: Interaction): Before | undefined => {
  const { productId, documentId, formId, variables } = request as unknown as Readonly<Record<string, never>>;
  const chosen: string | undefined = productId ?? documentId ?? formId;
  return chosen === undefined ? undefined : { chosen, ...(variables !== undefined && { filled: variables }) };
};

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
