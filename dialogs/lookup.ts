// The first steps of every app: who is calling, how that number's owner is found, and how often a chat may look.
import type { AppId } from '../src/contract/index.ts';
import type { Clock } from '../src/platform/clock.ts';
import { standing } from '../src/verification/index.ts';
import { say } from './activities.ts';
import { type AppDialog, type AppOptions, offeredIn, type Values } from './app-dialog.ts';
import { type CustomerAnswer, handlesOf, type InitialsAnswer, mostOffered, unknownCustomer } from './caller.ts';
import type { Memory } from './memory.ts';
import { type Activity, type DialogTurnResult, TurnContext, type WaterfallStepContext } from './sdk.ts';
import { type LookupRate, type Turn, turnOf } from './turn.ts';

type Step = WaterfallStepContext<AppOptions>;

/**
 * `offered`: the number's customers are offered, masked. `alike`: the number and the initials of a name are taken as they are typed, and what the chat is
 * told does not depend on whose they are (docs/decisions/0017).
 */
export type LookupMode = 'offered' | 'alike';

/** How the owner of a number is found in this chat. */
const lookupModeOf = async ({ context, memory, services }: Turn, phoneNumber: string): Promise<LookupMode> => {
  const { activity } = context;
  if (!services.asksInitials(activity)) return 'offered';
  if (memory.vouchedFor !== phoneNumber) {
    const vouchedFor = await services.callerNumber(activity);
    if (vouchedFor !== undefined) memory.vouchedFor = vouchedFor;
  }
  return memory.vouchedFor === phoneNumber ? 'offered' : 'alike';
};

/** Forgets who is calling. */
export const forgetCaller = (memory: Memory): void => {
  delete memory.phoneNumber;
  delete memory.initials;
};

/** What counting needs of a turn. */
interface Asking {
  readonly context: { readonly activity: Activity };
  readonly memory: Memory;
  readonly services: {
    readonly lookupRate: LookupRate;
    readonly admitLookup: (activity: Partial<Activity>) => Promise<boolean>;
    readonly clock: Clock;
  };
}

const tenMinutes = 600_000;
const day = 86_400_000;

/** Counts a lookup of this turn, by its user and by where it came from. Asking for the number that was asked for last is free. */
const admitsLookup = async ({ context, memory, services }: Asking, phoneNumber: string): Promise<boolean> => {
  if (memory.lookedUp === phoneNumber) return true;
  if (!mayLookUp(memory, phoneNumber, services.lookupRate, services.clock.now())) return false;
  if (await services.admitLookup(context.activity)) return true;
  // It was not asked for after all.
  delete memory.lookedUp;
  return false;
};

/**
 * Counts a lookup at `now` (epoch ms); `false` when it is one too many, and then it is not counted. Asking for the number that was asked for last tells
 * nothing new and is free, so that a customer who tries again is not taken for one who searches. Counted in the chat's own memory: on every replica, and over
 * every restart. Chats are for one person, and new ones are counted by address.
 */
export const mayLookUp = (memory: Memory, phoneNumber: string, { perTenMinutes, perDay }: LookupRate, now: number): boolean => {
  if (memory.lookedUp === phoneNumber) return true;
  const today = (memory.lookups ?? []).filter((at) => at > now - day);
  const recent = today.filter((at) => at > now - tenMinutes);
  if (today.length >= perDay || recent.length >= perTenMinutes) return false;
  memory.lookups = [...today, now];
  memory.lookedUp = phoneNumber;
  return true;
};

const askNumber = async (step: Step): Promise<DialogTurnResult> => {
  const turn = turnOf(step.context);
  const known =
    step.options.phoneNumber ??
    turn.memory.phoneNumber ??
    (step.options.again ? undefined : await turn.services.callerNumber(step.context.activity));
  return known ? step.next(known) : step.beginDialog('phone', { again: step.options.again ?? false });
};

/** Asks for the initials, where a number alone must not tell whose it is. */
const askInitials = async (step: Step): Promise<DialogTurnResult> => {
  const turn = turnOf(step.context);
  const values = step.values as Values;
  values.phoneNumber = step.result as string;
  turn.memory.phoneNumber = values.phoneNumber;
  if ((await lookupModeOf(turn, values.phoneNumber)) === 'offered' || verifiedBy(step)) return step.next();
  const { initials } = turn.memory;
  return initials === undefined ? step.beginDialog('initials') : step.next({ initials } satisfies InitialsAnswer);
};

/**
 * The customer whom this chat is verified for, where it asked with the very number of now; `undefined` where others
 * were found to share it. There is nothing to hide from them, so they are found as others are.
 */
const verifiedBy = ({ context, options, values }: Step): string | undefined => {
  const { memory, services } = turnOf(context);
  const { phoneNumber } = values as Values;
  if (options.shared || phoneNumber === undefined) return undefined;
  const proofs = standing(memory, TurnContext.getConversationReference(context.activity), services.clock.now());
  return proofs.findLast((proof) => proof.phoneNumber === phoneNumber)?.customerRef;
};

const find = async (app: AppDialog, step: Step): Promise<DialogTurnResult> => {
  const turn = turnOf(step.context);
  const values = step.values as Values & { phoneNumber: string };
  const answer = step.result as InitialsAnswer | undefined;
  if (answer && 'phoneNumber' in answer) return step.replaceDialog('steps', { ...step.options, phoneNumber: answer.phoneNumber });
  turn.memory.sessionRef ??= turn.services.newId();
  values.sessionRef = turn.memory.sessionRef;
  if (!(await admitsLookup(turn, values.phoneNumber))) return step.beginDialog('trouble', { trouble: 'lookups' });
  if (answer) return findAlike(app, step, turn, values, answer.initials);
  await turn.context.sendActivity({ type: 'typing' });
  const caller = { phoneNumber: values.phoneNumber, sessionRef: values.sessionRef };
  const lookup = await turn.services.interactions.lookup(app.id, caller, turn.t.language);
  if ('trouble' in lookup && lookup.trouble === 'rejected') {
    // Kept, it would stand in the way of every other app too.
    forgetCaller(turn.memory);
    return step.beginDialog('refused', { phoneNumber: values.phoneNumber });
  }
  if ('trouble' in lookup) return step.beginDialog('trouble', { trouble: lookup.trouble });
  const customers = handlesOf(lookup.found.customers.slice(0, mostOffered));
  const alike = (await lookupModeOf(turn, values.phoneNumber)) === 'alike';
  const verified = alike ? verifiedBy(step) : undefined;
  // Who else has the number, or has it now, is nothing for this chat; nor is anyone once the verification has run out.
  if (alike && (customers.length !== 1 || customers[0]?.id !== verified))
    return step.replaceDialog('steps', { ...step.options, phoneNumber: values.phoneNumber, shared: true });
  values.customers = customers;
  values.found = offeredIn(lookup.found);
  values.foundAt = turn.services.clock.now();
  const { customerRef = verified } = step.options;
  if (customerRef !== undefined) {
    if (customers.some(({ id }) => id === customerRef)) return step.next({ customerRef } satisfies CustomerAnswer);
    await say(turn, turn.t('question.changed'));
  }
  return customers.length === 0
    ? step.beginDialog('nobody', { phoneNumber: values.phoneNumber })
    : step.beginDialog('customer', { phoneNumber: values.phoneNumber, customers });
};

/** Nobody is looked up before the request is on its way. What can be chosen is what is offered to a number that the operator named. */
const findAlike = async (app: AppDialog, step: Step, turn: Turn, values: Values, initials: string): Promise<DialogTurnResult> => {
  const { interactions, catalogueNumber: phoneNumber, clock, log } = turn.services;
  turn.memory.initials = initials;
  values.initials = initials;
  if (app.catalogued) {
    if (phoneNumber === undefined) log.error({ app: app.id, reason: 'no_catalogue_number' }, 'CATALOGUE_NUMBER must be set');
    if (phoneNumber === undefined) return step.beginDialog('trouble', { trouble: 'misconfigured' });
    await turn.context.sendActivity({ type: 'typing' });
    const caller = { phoneNumber, sessionRef: values.sessionRef as string };
    const lookup = await interactions.lookup(app.id, caller, turn.t.language);
    if ('trouble' in lookup) return step.beginDialog('trouble', { trouble: lookup.trouble });
    values.found = offeredIn(lookup.found);
  }
  values.foundAt = clock.now();
  const customer = unknownCustomer(initials);
  values.customers = [customer];
  return step.next({ customerRef: customer.id } satisfies CustomerAnswer);
};

/** Asks for the caller's number and finds its customers. The next step hears which customer it is, or how else to go on. */
export const lookupSteps = <Id extends AppId>(app: AppDialog<Id>) => [askNumber, askInitials, (step: Step) => find(app as AppDialog, step)];
