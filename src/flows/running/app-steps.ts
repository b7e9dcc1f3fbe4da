// The options with which steps start apps.
import { type AppEnding, type AppOptions, type FlowWish, proofsOf, type Turn } from '../../../dialogs/index.ts';
import type { VerifyingAppId } from '../../contract/index.ts';
import { derivedId } from '../../platform/secrets/new-id.ts';
import { partsOf, worth } from '../grammar/expressions.ts';
import { languagesOf } from '../grammar/locale-files.ts';
import { type BranchingStep, type FlowSource, type StepOf, secondsOf, verbOf } from '../grammar/schema.ts';
import type { FlowProgram } from '../versions/versions.ts';
import type { Before, Frame, RunState } from './run-state.ts';

/** The end of an app's dialog whose request has an end. */
export type Ended = Extract<AppEnding, { readonly kind: 'ended' }>;

/** The methods of a `verify` step, in order of preference. */
export const methodsOf = ({ verify }: StepOf<'verify'>): readonly VerifyingAppId[] => verify?.by ?? ['passkeys', 'one-time-passcode'];

/** The verification that the chat already has, if one of these methods made it recently enough; else `undefined`. */
export const freshIn = (turn: Turn, step: StepOf<'verify'>, customerRef: string | undefined) => {
  const { fresh } = step.verify ?? {};
  const oldest = fresh === undefined ? Number.NEGATIVE_INFINITY : turn.services.clock.now() - secondsOf(fresh) * 1000;
  return proofsOf(turn).findLast(
    (proof) =>
      methodsOf(step).includes(proof.method) && proof.at >= oldest && (customerRef === undefined || proof.customerRef === customerRef),
  );
};

/** Known values are not asked for again. A choice may be an identifier, or words that name it. */
export const stepOptionsOf = ({ caller, named, verified }: RunState, before: Before | undefined): AppOptions => {
  const words = before?.chosen ?? named;
  const bound = verified !== undefined && verified.customerRef === caller?.customerRef;
  return { ...caller, ...(bound && { bound }), ...(words !== undefined && { named: words }), ...(before && { before }) };
};

/** What a run knows if a program started it. */
export const programIn = ({ run, ...caller }: NonNullable<FlowWish['program']>): Pick<RunState, 'caller' | 'program'> => ({
  caller,
  program: { run, sent: 0 },
});

/** The same for an app that is sent. If a program started the run, the customer is not asked to confirm. */
export const sendOptionsOf = (state: RunState, before: Before | undefined): AppOptions => {
  const { program } = state;
  if (!program) return stepOptionsOf(state, before);
  program.sent += 1;
  return { ...stepOptionsOf(state, before), confirmed: derivedId(program.run, String(program.sent)) };
};

/** A customer whose existence must stay hidden has no reference. */
export const callerOf = ({
  phoneNumber,
  customerRef,
}: {
  readonly phoneNumber: string;
  readonly customerRef: string;
}): NonNullable<RunState['caller']> => ({
  phoneNumber,
  ...(customerRef !== '' && { customerRef }),
});

/** What an app's step says to send, as written; `undefined` if the customer chooses. */
export const argumentOf = (step: BranchingStep) => {
  const given = ((step as unknown as Record<string, unknown>)[verbOf(step) as string] ?? {}) as Readonly<Record<string, Written>>;
  const name = (['product', 'document', 'form'] as const).find((one) => given[one] !== undefined);
  const written = name && given[name];
  return name === undefined || written === undefined ? undefined : { name, written };
};
type Written = string | number | boolean;

/** Whether the step names it literally, rather than with an input or answer. */
export const isLiteral = (written: Written) => typeof written !== 'string' || partsOf(written)?.every((part) => 'text' in part) === true;

/** The values that an app's step gives. */
export const givenTo = ({ flows }: Pick<FlowProgram, 'flows'>, step: BranchingStep, { flow, values }: Frame): Before | undefined => {
  const { written } = argumentOf(step) ?? {};
  if (written === undefined) return undefined;
  const { variables = {} } = (step as Record<string, unknown>)[verbOf(step) as string] as { variables?: Record<string, Written> };
  const filled = Object.entries(variables).map(([name, value]) => [name, String(worth(value, values))]);
  return {
    chosen: String(worth(written, values)),
    ...(filled.length > 0 && { filled: Object.fromEntries(filled) }),
    ...(isLiteral(written) && { written: languagesIn(flows.get(flow) as FlowSource) }),
  };
};

/** The languages of a flow; English if it names none. */
const languagesIn = (flow: FlowSource): readonly string[] => {
  const languages = languagesOf(flow);
  return languages.length > 0 ? languages : ['en'];
};
