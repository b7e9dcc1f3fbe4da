// Finds out who is calling: by the number that the channel vouches for, or the one that the customer types.

import { z } from 'zod';
import type { Addressee } from '../../cards/index.ts';
import type { Customer } from '../../src/contract/index.ts';
import { initialsIn, isMailable } from '../../src/interactions/index.ts';
import { channelOf, ownServiceUrl } from '../../src/platform/channels.ts';
import { maskEmail, maskName, maskPhoneNumber } from '../../src/platform/text/masks.ts';
import { askable, parsePhoneNumber } from '../language/phone-number.ts';
import { pickedBy } from '../language/recogniser.ts';
import { phrasesOf } from '../language/words.ts';
import type { Activity } from '../sdk.ts';
import type { CallerMemory } from '../turn/memory.ts';
import type { Choice } from '../turn/question-state.ts';
import type { CallerResolver } from '../turn/services.ts';
import type { Turn } from '../turn/turn.ts';
import { agentChoice, offer } from './offer.ts';
import type { Question, Reading } from './question.ts';

/** The number in `from.id` on channels whose users are phone numbers: `+1…`, `tel:+1…`, `whatsapp:+1…`. */
export const numberOfSender: CallerResolver = async ({ from, ...activity }) =>
  channelOf(activity).users === 'phones' ? askable(`+${/^(?:\w+:)*\+?(\d+)$/.exec(from?.id ?? '')?.[1]}`) : undefined;

const gateway = z.looseObject({ vaigConversationId: z.string().min(1), caller: z.string().max(40).optional().catch(undefined) });

/**
 * The start event that AudioCodes' VoiceAI Connect sends for a call through a chat channel
 * (techdocs.audiocodes.com, "Call initiation"); `undefined`: not such an event. A chat that forges one is merely
 * spoken to and gains nothing: its number counts as typed.
 */
export const gatewayIn = ({ type, channelData, value, serviceUrl }: Partial<Activity>): { readonly caller?: string } | undefined => {
  if (type !== 'event' || serviceUrl === ownServiceUrl) return undefined;
  const data = [channelData, value].map((part) => gateway.safeParse(part).data).find(Boolean);
  const caller = data && askable(`+${/^\+?(\d+)$/.exec(data.caller ?? '')?.[1]}`);
  return data && { ...(caller !== undefined && { caller }) };
};

/** The number that the web chat's token vouches for. Direct Line sets it and drops anything a page sends instead. */
export const numberInToken: CallerResolver = async ({ serviceUrl, channelData }) =>
  serviceUrl === ownServiceUrl ? askable(channelData?.verified?.phoneNumber) : undefined;

/**
 * Whether the user is signed in with an account of one of these organisations (Microsoft Entra tenants). Any other
 * account proves nothing: anybody can have one.
 */
export const isSignedIn = (activity: Partial<Activity>, tenants: readonly string[]): boolean => {
  const { from, conversation, channelData } = activity;
  const isOurs = (tenant: unknown) => tenants.some((one) => one.toLowerCase() === String(tenant).toLowerCase());
  return (
    channelOf(activity).users === 'accounts' &&
    from?.aadObjectId !== undefined &&
    isOurs(conversation?.tenantId) &&
    isOurs(channelData?.tenant?.id)
  );
};

/** The network that a turn of the bot's web chat came from. Other channels do not tell. */
export const networkIn = ({ serviceUrl, channelData }: Partial<Activity>): string | undefined =>
  serviceUrl === ownServiceUrl ? channelData?.verified?.network : undefined;

/** Where a turn comes from, as far as it can be told: its network, the number of a call, or a channel's user. */
export const originOf = (activity: Partial<Activity>): string => networkIn(activity) ?? `${activity.channelId} ${activity.from?.id}`;

/** Asks each resolver in turn and takes the first number. */
export const firstOf =
  (resolvers: readonly CallerResolver[]): CallerResolver =>
  async (activity) => {
    for (const resolve of resolvers) {
      const number = await resolve(activity);
      if (number) return number;
    }
    return undefined;
  };

/** Forgets who is calling. */
export const forgetCaller = (memory: CallerMemory): void => {
  delete memory.phoneNumber;
  delete memory.initials;
};

/** Asks for the number; `again` because the number before had no customer. */
const phoneQuestion: Question<{ readonly again?: boolean }, string> = {
  id: 'phone',
  ask: ({ t }, { again }) => ({ choices: [], takes: 'tel', show: () => t(again ? 'phone.askAgain' : 'phone.ask') }),
  read: ({ t, services }, typed) => {
    const number = parsePhoneNumber(typed, services.defaultRegion);
    if (number) return { answer: number };
    const none = pickedBy(typed, { choices: [withoutNumber(t)] }, t);
    return { repair: t(none ? 'phone.none' : /\d/.test(typed) ? 'phone.notANumber' : 'phone.noDigits') };
  },
};

/** The number, or the wish to give another. */
export type OwnNumberAnswer = string | { readonly another: true };

/**
 * Asks whether the number in a profile is the customer's: others maintain it, and it may be outdated. A typed number
 * replaces it.
 */
const ownNumberQuestion = offer<{ readonly phoneNumber: string }, OwnNumberAnswer>(
  'ownNumber',
  ({ t }, { phoneNumber }) => ({
    question: t('phone.confirm', { phone: maskPhoneNumber(phoneNumber) }),
    said: (answer) => (answer === phoneNumber ? t('question.confirmed', { what: maskPhoneNumber(phoneNumber) }) : undefined),
    others: [
      { title: t('cards.buttons.yes'), value: phoneNumber, style: 'positive', phrases: 'phrases.yes' },
      {
        title: t('customer.another'),
        value: { another: true },
        phrases: [...phrasesOf(t, 'phrases.no'), ...phrasesOf(t, 'phrases.notMe')],
      },
    ],
  }),
  {
    read: ({ t, services }, typed) => {
      const number = parsePhoneNumber(typed, services.defaultRegion);
      return number ? { answer: number } : { repair: t('question.notUnderstood') };
    },
  },
);

/** The initials that name a customer together with the number, or another number. */
export type InitialsAnswer = { readonly initials: string } | { readonly phoneNumber: string };

/** Asks for the initials of the name. A number typed here replaces the previous one. */
const initialsQuestion: Question<object, InitialsAnswer> = {
  id: 'initials',
  wordy: true,
  ask: ({ t }) => ({ choices: [], show: () => t('initials.ask') }),
  read: ({ t, services }, typed) => {
    const phoneNumber = parsePhoneNumber(typed, services.defaultRegion);
    if (phoneNumber) return { answer: { phoneNumber } };
    const initials = initialsIn(typed);
    return initials === undefined ? { repair: t('initials.none') } : { answer: { initials } };
  },
};

/**
 * The most matches that are offered: a longer list would disclose too much
 * (docs/security.md#a-look-up-reveals-who-owns-a-number).
 */
export const maxOffered = 5;

/** A customer as an unverified chat may know them (docs/decisions/0008): a handle, and enough for self-recognition. */
export interface CustomerHandle {
  /** The service's identifier. */
  readonly id: string;
  /** Masked. */
  readonly name: string;
  /** Masked, and only for customers whose masked names are equal. */
  readonly email?: string;
  /** The customer cannot receive e-mail. */
  readonly unmailable?: true;
}

/** Keeps only the permitted part of a look-up's customers. */
export const handlesOf = (customers: readonly Customer[]): CustomerHandle[] => {
  const masked = customers.map(({ name }) => maskName(name));
  return customers.map(({ id, email }, index) => {
    const name = masked[index] as string;
    const alike = masked.filter((other) => other === name).length > 1;
    return { id, name, ...(alike && email !== undefined && { email: maskEmail(email) }), ...(!isMailable(email) && { unmailable: true }) };
  });
};

/** The customer named by a number and initials, as long as the chat may not learn who that is. */
export const unknownCustomer = (initials: string): CustomerHandle => ({
  id: '',
  name: [...initials].map((letter) => `${letter}.`).join(' '),
});

/** Who receives the request, masked: nobody is verified yet. */
export const addresseeOf = ({ customer, phoneNumber }: { readonly customer: CustomerHandle; readonly phoneNumber: string }): Addressee => ({
  customer: customer.name,
  phone: maskPhoneNumber(phoneNumber),
});

/** The customer by the service's identifier, or another way on. */
export type CustomerAnswer = { readonly customerRef: string } | 'another' | 'agent' | { readonly phoneNumber: string };

/** A customer who notices that the number was wrong simply types the right one. */
const readNumber = ({ t, services }: Turn, typed: string): Reading<CustomerAnswer, never> => {
  const phoneNumber = parsePhoneNumber(typed, services.defaultRegion);
  return phoneNumber ? { answer: { phoneNumber } } : { repair: t('question.notUnderstood') };
};

type CustomerOptions = { readonly phoneNumber: string; readonly customers: readonly CustomerHandle[] };

const customerQuestion = offer<CustomerOptions, CustomerAnswer>(
  'customer',
  ({ t }, { phoneNumber, customers }) => {
    const masked = customers.map(({ id, name, email }) => ({
      title: name,
      ...(email !== undefined && { subtitle: email }),
      value: { customerRef: id },
    }));
    const another: Choice<CustomerAnswer> = { title: t('customer.another'), value: 'another', phrases: 'phrases.notMe' };
    const said = (answer: CustomerAnswer) => {
      const chosen = typeof answer === 'object' && 'customerRef' in answer && customers.find(({ id }) => id === answer.customerRef);
      return chosen ? t('question.confirmed', { what: [chosen.name, chosen.email].filter(Boolean).join(', ') }) : undefined;
    };
    return { question: t('customer.choose', { phone: maskPhoneNumber(phoneNumber) }), offers: masked, others: [another], said };
  },
  { read: readNumber },
);

/** Without a number nobody can be looked up: only a person can help. */
const withoutNumber = (t: Turn['t']): Choice<'agent'> => ({ title: t('nobody.none'), value: 'agent', phrases: 'phrases.noNumber' });

/** The number has no customer: offers another one, or an agent. */
const nobodyQuestion = offer<{ readonly phoneNumber: string }, CustomerAnswer>(
  'nobody',
  (turn, { phoneNumber }) => ({
    question: turn.t('nobody.text', { phone: maskPhoneNumber(phoneNumber) }),
    others: [{ title: turn.t('customer.another'), value: 'another', phrases: 'phrases.yes' }, withoutNumber(turn.t), ...agentChoice(turn)],
  }),
  { read: readNumber },
);

/** The service refuses the number: offers another one, or an agent. Retrying the same one would not help. */
const refusedQuestion = offer<{ readonly phoneNumber: string }, CustomerAnswer | 'menu'>(
  'refused',
  ({ t }, { phoneNumber }) => ({
    question: t('nobody.refused', { phone: maskPhoneNumber(phoneNumber) }),
    others: [
      { title: t('customer.another'), value: 'another', style: 'positive', phrases: 'phrases.yes' },
      { title: t('cards.buttons.person'), value: 'agent', phrases: 'phrases.agent' },
      { title: t('cards.buttons.menu'), value: 'menu', phrases: 'phrases.no' },
    ],
  }),
  { read: readNumber },
);

/** The questions that can follow a look-up. */
export const callerQuestions = [phoneQuestion, ownNumberQuestion, initialsQuestion, customerQuestion, nobodyQuestion, refusedQuestion];
