// The values that a waterfall has gathered: which of them another round keeps, whether they still hold, and which were
// given before they were asked for.
import type { AppId, BootstrapAnswer } from '../../src/contract/index.ts';
import type { AppDialog, AppEnding, AppOptions, Asked, Gathered, Offered, Values } from '../asking/app-dialog.ts';
import { answerable, confirmQuestion } from '../asking/offer.ts';
import { namedIn } from '../language/recogniser.ts';
import type { DialogContext, DialogInstance, DialogTurnResult, WaterfallStepContext } from '../sdk.ts';
import type { Choice } from '../turn/question-state.ts';
import type { CommonServices } from '../turn/services.ts';
import { type Turn, turnOf } from '../turn/turn.ts';

/** A step of an app's waterfall. */
export type AppStep = WaterfallStepContext<AppOptions>;

/** A step as the waterfall runs it, given its turn and the values that were gathered before. */
export const inStep =
  (work: (step: AppStep, turn: Turn, values: Values) => Promise<DialogTurnResult>) =>
  (step: AppStep): Promise<DialogTurnResult> =>
    work(step, turnOf(step.context), step.values as Values);

/** A look-up's answer without the customers. */
export const offeredIn = <Id extends AppId>(found: BootstrapAnswer<Id>): Offered<Id> => {
  const { customers: _, authentication: __, ...offered } = { authentication: undefined, ...found };
  // The compiler does not infer which app's answer is left.
  return offered as Offered<Id>;
};

/** Two digits from 10 to 99: without a leading zero, so that nobody wonders whether it counts. */
export const newCode = ({ random }: CommonServices): string => String(10 + Math.floor(random() * 90));

/** The options that another round need not ask for again. */
export const knownOptions = ({ phoneNumber, customer }: Values): AppOptions => ({
  ...(phoneNumber !== undefined && { phoneNumber }),
  ...(customer && { customerRef: customer.id }),
});

/** The same, with the choice and the values. */
export const settled = (values: Values): AppOptions => {
  const { chosen, filled } = values;
  return { ...knownOptions(values), ...(chosen !== undefined && { before: { chosen, ...(filled && { filled }) } }) };
};

/** The same, to go over them once more. */
export const reopened = (values: Values, again: 'chosen' | 'filled'): AppOptions => {
  const { before, ...options } = settled(values);
  const { refused = [] } = values;
  return { ...options, ...(before && { before: { ...before, again, ...(refused.length > 0 && { refused }) } }) };
};

/** Whether the choice is no longer offered. */
export const isGone = <Id extends AppId>({ choose }: AppDialog<Id>, turn: Asked, values: Values): boolean =>
  choose !== undefined && !choose.offered(turn, values as Gathered<Id>).includes(values.chosen ?? '');

/** The gathered values, if the choice disappeared while the customer filled it in or confirmed it. */
export const goneIn = <Id extends AppId>(app: AppDialog<Id>, inner: DialogContext): Values | undefined => {
  const turn = turnOf(inner.context);
  const open = inner.activeDialog?.id;
  const values: Values = inner.stack.at(0)?.state.values ?? {};
  const asked = open === confirmQuestion.id || open === app.fill?.question.id;
  return asked && turn.input.kind !== 'none' && isGone(app, turn, values) ? values : undefined;
};

/** Whether the service's offers may have changed since. */
export const isOld = ({ services }: Turn, { foundAt = -Infinity }: Values): boolean => services.clock.now() - foundAt > answerable;

/** The choice, and the customer who made it. */
export const chosenIn = ({ chosen = '', customer, phoneNumber }: Gathered): AppEnding => ({
  kind: 'chosen',
  chosen,
  phoneNumber,
  customerRef: customer.id,
});

/** The state of an app's component, which lasts while its steps begin anew. */
const ownState = ({ parent }: DialogContext): { boundTo?: string | undefined } | undefined => parent?.activeDialog?.state;

/** Binds an app to a customer: see {@link AppOptions.bound}. */
export const bind = (inner: DialogContext, customerRef: string | undefined): void => {
  Object.assign(ownState(inner) ?? {}, { boundTo: customerRef });
};

/** The customer for whom alone the app may be used. */
export const boundTo = (inner: DialogContext): string | undefined => ownState(inner)?.boundTo;

/** The interaction that an app's dialog last asked for, from the dialog's stored state. */
export const interactionIn = (app: DialogInstance | undefined): string | undefined =>
  app?.state?.dialogs?.dialogStack?.[0]?.state?.values?.interactionId;

/** The identifier of the known choice; `undefined` if the customer chooses. `unnamed`: the words match nothing. */
export const knownChoice = async (
  app: AppDialog,
  turn: Turn,
  values: Values,
  options: AppOptions,
  unnamed: () => void,
): Promise<string | undefined> => {
  const { choose } = app;
  const { before } = options;
  if (!choose || !before || before.again === 'chosen') return undefined;
  if (choose.offered(turn, values as never).includes(before.chosen)) return before.chosen;
  if (!before.written) return undefined;
  const named = await namedByFile(app, turn, values, before.chosen, before.written);
  // The identifier is used from here on; the values in the file belong to it.
  if (named === undefined) unnamed();
  else Object.assign(options, { before: { ...before, chosen: named } } satisfies AppOptions);
  return named;
};

/** Resolves a choice in the file's language, as its name may differ in the customer's. */
const namedByFile = async (
  app: AppDialog,
  turn: Turn,
  values: Values,
  words: string,
  languages: readonly string[],
): Promise<string | undefined> => {
  const { choose } = app;
  for (const language of new Set([turn.t.language, ...languages])) {
    const t = language === turn.t.language ? turn.t : turn.services.textsFor(language);
    const found = t === turn.t || !app.catalogued ? values.found : await catalogueIn(app, turn, values, language);
    if (!found) return undefined;
    const { choices = [] } = choose?.question.ask({ ...turn, t }, { ...values, found } as never) ?? {};
    const named = namedIn(words, choices as readonly Choice<string>[], t)?.value;
    if (named !== undefined && choose?.offered(turn, values as never).includes(named)) return named;
  }
  return undefined;
};

/** The catalogue in another language; if no look-up is allowed, that of the operator's configured number. */
const catalogueIn = async ({ id }: AppDialog, { services }: Turn, values: Values, language: string) => {
  const phoneNumber = values.initials === undefined ? values.phoneNumber : services.catalogueNumber;
  if (phoneNumber === undefined || values.sessionRef === undefined) return undefined;
  const lookup = await services.interactions.lookup(id, { phoneNumber, sessionRef: values.sessionRef }, language);
  return 'found' in lookup ? offeredIn(lookup.found) : undefined;
};
