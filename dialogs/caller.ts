// Who is calling: the number the channel vouches for, or the one the customer types.
import type { Activity } from 'botbuilder';
import type { CountryCode } from 'libphonenumber-js';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { phoneNumber } from '../src/contract/index.ts';
import { initialsIn } from '../src/interactions/initials.ts';
import type { Question } from './question.ts';
import type { CallerResolver } from './turn.ts';

/** The number if the service can be asked about it: some that libphonenumber holds possible are longer than E.164 allows. */
const askable = (number: unknown): string | undefined => phoneNumber.safeParse(number).data;

/** A number as people write it, national or international, as E.164; `undefined` when it is none. */
export const parsePhoneNumber = (typed: string, region: string): string | undefined => {
  const parsed = parsePhoneNumberFromString(typed, { defaultCountry: region as CountryCode, extract: true });
  return parsed?.isPossible() ? askable(parsed.number) : undefined;
};

const numbering = new Set(['sms', 'telephony', 'whatsapp', 'twilio-sms', 'acs']);

/** The number in `from.id` of a channel whose users are phone numbers, such as SMS and telephony: `+1…`, `tel:+1…`, `whatsapp:+1…`. */
export const numberOfSender: CallerResolver = async ({ channelId, from }) =>
  channelId && numbering.has(channelId) ? askable(`+${/^(?:\w+:)*\+?(\d+)$/.exec(from?.id ?? '')?.[1]}`) : undefined;

/** The number that the web chat's token vouches for. Direct Line puts it there and drops whatever a page sends in its place. */
export const numberInToken =
  (ownChat: string): CallerResolver =>
  async ({ serviceUrl, channelData }) =>
    serviceUrl === ownChat ? askable(channelData?.verified?.phoneNumber) : undefined;

/** Whether the channel tells who its user is, by an account of their organisation. */
export const isSignedIn = ({ channelId, from }: Partial<Activity>): boolean => channelId === 'msteams' && from?.aadObjectId !== undefined;

/** The network that a turn of our own chat came from. Other channels tell none. */
export const networkIn =
  (ownChat: string) =>
  ({ serviceUrl, channelData }: Partial<Activity>): string | undefined =>
    serviceUrl === ownChat ? channelData?.verified?.network : undefined;

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

export interface PhoneOptions {
  /** Asked again after a number that nobody has. */
  readonly again?: boolean;
}

/** Asks for the number. */
export const phoneQuestion: Question<PhoneOptions, string> = {
  id: 'phone',
  ask: ({ t }, { again }) => ({ choices: [], show: () => t(again ? 'phone.askAgain' : 'phone.ask') }),
  read: ({ t, services }, typed) => {
    const number = parsePhoneNumber(typed, services.defaultRegion);
    return number ? { answer: number } : { repair: t(/\d/.test(typed) ? 'phone.notANumber' : 'phone.noDigits') };
  },
};

/** What names a customer beside the number, or another number. */
export type InitialsAnswer = { readonly initials: string } | { readonly phoneNumber: string };

/** Asks for the initials of the name. A number typed here takes the place of the one before. */
export const initialsQuestion: Question<object, InitialsAnswer> = {
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
