// The first steps of every app: who is calling, how the number's owner is found, and how often a chat may look up.

import type { AppId } from '../../src/contract/index.ts';
import { type LookupRate, roomAt } from '../../src/platform/limits.ts';
import type { AppDialog, AppOptions, Values } from '../asking/app-dialog.ts';
import {
  type CustomerAnswer,
  forgetCaller,
  handlesOf,
  type InitialsAnswer,
  maxOffered,
  type OwnNumberAnswer,
  unknownCustomer,
} from '../asking/caller.ts';
import type { DialogTurnResult } from '../sdk.ts';
import { say } from '../turn/activities.ts';
import type { CallerMemory } from '../turn/memory.ts';
import { type Turn, turnOf } from '../turn/turn.ts';
import { showingTyping } from '../turn/typing.ts';
import { endProofs, proofsOf } from '../turn/verified.ts';
import { type AppStep, inStep, offeredIn, reopened, settled } from './gathered.ts';

/**
 * `offered`: the number's customers are offered, masked. `alike`: the typed number and initials are accepted as they
 * are, and the chat is told the same whoever they belong to (docs/decisions/0017).
 */
export type LookupMode = 'offered' | 'alike';

/** How the owner of a number is found in this chat. */
const lookupModeOf = async ({ channel, context, memory, services }: Turn, phoneNumber: string): Promise<LookupMode> => {
  const { activity } = context;
  if (!services.asksInitials(activity)) return 'offered';
  // An unproven number counts as a typed one.
  if (channel.voice) return 'alike';
  if (memory.vouchedFor !== phoneNumber) {
    const vouchedFor = await services.callerNumber(activity);
    if (vouchedFor !== undefined) memory.vouchedFor = vouchedFor;
  }
  return memory.vouchedFor === phoneNumber ? 'offered' : 'alike';
};

/** Starts with another number: forgets the caller and keeps the request. */
export const forAnother = (turn: Turn, { before, named }: AppOptions, values: Values, phoneNumber?: string): AppOptions => {
  forgetCaller(turn.memory);
  endProofs(turn);
  const chosen = settled(values).before ?? before;
  const kept = { ...(named !== undefined && { named }), ...(chosen && { before: chosen }) };
  return phoneNumber === undefined ? { ...kept, again: true } : { ...kept, phoneNumber };
};

const day = 86_400;

/** Counts a look-up of this turn, by user and by origin. Repeating the last number is free. */
const admitsLookup = async ({ context, memory, services }: Turn, phoneNumber: string): Promise<boolean> => {
  if (memory.lookedUp === phoneNumber) return true;
  if (!mayLookUp(memory, phoneNumber, services.lookupRate, services.clock.now())) return false;
  if (await services.admitLookup(context.activity)) return true;
  // The number was not looked up after all.
  delete memory.lookedUp;
  return false;
};

/**
 * Counts a look-up at `now` (epoch ms); `false`, and not counted, if it is one too many. Repeating the last number is
 * free: it reveals nothing new, and a customer who tries again is not searching. The count is kept with the chat, so it
 * survives restarts and holds on every replica. New chats are counted by address.
 */
export const mayLookUp = (memory: CallerMemory, phoneNumber: string, { perTenMinutes, perDay }: LookupRate, now: number): boolean => {
  if (memory.lookedUp === phoneNumber) return true;
  const today = (memory.lookups ?? []).filter((at) => at > now - day * 1000);
  const rates = [
    { points: perTenMinutes, seconds: 600 },
    { points: perDay, seconds: day },
  ];
  if (roomAt(today, rates) > now) return false;
  memory.lookups = [...today, now];
  memory.lookedUp = phoneNumber;
  return true;
};

const askNumber = async (step: AppStep, turn: Turn): Promise<DialogTurnResult> => {
  const { activity } = step.context;
  const known = step.options.phoneNumber ?? turn.memory.phoneNumber;
  const number = known ?? (step.options.again ? undefined : (turn.memory.gateway?.caller ?? (await turn.services.callerNumber(activity))));
  if (known === undefined && number !== undefined && turn.channel.candidates) return step.beginDialog('ownNumber', { phoneNumber: number });
  return number ? step.next(number) : step.beginDialog('phone', { again: step.options.again ?? false });
};

/** Asks for the initials where a number alone must not reveal its owner. */
const askInitials = async (step: AppStep, turn: Turn, values: Values): Promise<DialogTurnResult> => {
  const answer = step.result as OwnNumberAnswer;
  if (typeof answer === 'object') return step.replaceDialog('steps', { ...step.options, again: true });
  values.phoneNumber = answer;
  turn.memory.phoneNumber = values.phoneNumber;
  if ((await lookupModeOf(turn, values.phoneNumber)) === 'offered' || verifiedBy(step)) return step.next();
  const { initials } = turn.memory;
  return initials === undefined ? step.beginDialog('initials') : step.next({ initials } satisfies InitialsAnswer);
};

/**
 * The customer this chat is verified for, if they proved it with this number; `undefined` if others share it.
 * Nothing need be hidden from them, so they are looked up openly.
 */
const verifiedBy = ({ context, options, values }: AppStep): string | undefined => {
  const { phoneNumber } = values as Values;
  if (options.shared || phoneNumber === undefined) return undefined;
  return proofsOf(turnOf(context)).findLast((proof) => proof.phoneNumber === phoneNumber)?.customerRef;
};

const find = async (app: AppDialog, step: AppStep): Promise<DialogTurnResult> => {
  const turn = turnOf(step.context);
  const values = step.values as Values & { phoneNumber: string };
  const answer = step.result as InitialsAnswer | undefined;
  if (answer && 'phoneNumber' in answer) return step.replaceDialog('steps', { ...step.options, phoneNumber: answer.phoneNumber });
  turn.memory.sessionRef ??= turn.services.newId();
  values.sessionRef = turn.memory.sessionRef;
  if (!(await admitsLookup(turn, values.phoneNumber))) return step.beginDialog('trouble', { trouble: 'lookups' });
  if (answer) return findAlike(app, step, turn, values, answer.initials);
  const caller = { phoneNumber: values.phoneNumber, sessionRef: values.sessionRef };
  const lookup = await showingTyping(turn, turn.services.interactions.lookup(app.id, caller, turn.t.language));
  if ('trouble' in lookup && lookup.trouble === 'rejected') {
    // A stored number would also block every other app.
    forgetCaller(turn.memory);
    return step.beginDialog('refused', { phoneNumber: values.phoneNumber });
  }
  if ('trouble' in lookup) return step.beginDialog('trouble', { trouble: lookup.trouble });
  const customers = handlesOf(lookup.found.customers.slice(0, maxOffered));
  const alike = (await lookupModeOf(turn, values.phoneNumber)) === 'alike';
  // A customer who has just proved their identity is not asked again, if nobody else has the number.
  const proved = verifiedBy(step);
  const verified = customers.length === 1 && customers[0]?.id === proved ? proved : undefined;
  // This chat must not learn who else has the number, or who has it after the verification expired.
  if (alike && verified === undefined)
    return step.replaceDialog('steps', { ...step.options, phoneNumber: values.phoneNumber, shared: true });
  values.customers = customers;
  values.found = offeredIn(lookup.found);
  values.foundAt = turn.services.clock.now();
  const { customerRef = verified } = step.options;
  if (customerRef !== undefined) {
    if (customers.some(({ id }) => id === customerRef)) return step.next({ customerRef } satisfies CustomerAnswer);
    await say(turn, turn.t('question.changed'), { answer: 'later' });
  }
  const [only] = customers;
  if (!only) return step.beginDialog('nobody', { phoneNumber: values.phoneNumber });
  // A program decided on another customer, so this one is shown before anything is sent.
  if (customers.length === 1 && step.options.confirmed !== undefined) {
    const { confirmed: _, customerRef: __, ...options } = step.options;
    return step.replaceDialog('steps', { ...options, phoneNumber: values.phoneNumber });
  }
  // The card that asks for the request names the customer.
  if (customers.length === 1) return step.next({ customerRef: only.id } satisfies CustomerAnswer);
  return step.beginDialog('customer', { phoneNumber: values.phoneNumber, customers });
};

/** Looks up nobody before the request is sent. The offers are those of a number that the operator configured. */
const findAlike = async (app: AppDialog, step: AppStep, turn: Turn, values: Values, initials: string): Promise<DialogTurnResult> => {
  const { interactions, catalogueNumber: phoneNumber, clock, log } = turn.services;
  turn.memory.initials = initials;
  values.initials = initials;
  if (app.catalogued) {
    if (phoneNumber === undefined) log.error({ app: app.id, reason: 'no_catalogue_number' }, 'CATALOGUE_NUMBER must be set');
    if (phoneNumber === undefined) return step.beginDialog('trouble', { trouble: 'misconfigured' });
    const caller = { phoneNumber, sessionRef: values.sessionRef as string };
    const lookup = await showingTyping(turn, interactions.lookup(app.id, caller, turn.t.language));
    if ('trouble' in lookup) return step.beginDialog('trouble', { trouble: lookup.trouble });
    values.found = offeredIn(lookup.found);
  }
  values.foundAt = clock.now();
  const customer = unknownCustomer(initials);
  values.customers = [customer];
  return step.next({ customerRef: customer.id } satisfies CustomerAnswer);
};

/** Asks for the caller's number and finds its customers. The next step gets the customer, or another way on. */
export const lookupSteps = <Id extends AppId>(app: AppDialog<Id>) => [
  inStep(askNumber),
  inStep(askInitials),
  (step: AppStep) => find(app as AppDialog, step),
];

/** The options of another try after one that failed. */
export const anew = ({ memory }: Turn, values: Values): AppOptions => {
  // The service may have refused the choice itself. Anything else can be changed at the confirmation.
  const known = values.rejected ? reopened(values, 'chosen') : settled(values);
  if (values.initials === undefined) return known;
  const { phoneNumber: _, customerRef: __, ...options } = known;
  // The number or initials may have been wrong, and the bot may not say so: it asks for both again.
  forgetCaller(memory);
  return options;
};
