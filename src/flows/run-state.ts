// Where a conversation stands in a flow. Plain JSON: it is kept with the dialogs, and found there by those who ask what
// is in flight.
import type { Interaction } from '../interactions/index.ts';
import type { Value } from './expressions.ts';
import type { StepPlace } from './program.ts';
import type { FlowApp, FlowSource, OutcomeName } from './schema.ts';

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

/** What a flow may know of a success. What no result told is taken from what was asked for. */
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
