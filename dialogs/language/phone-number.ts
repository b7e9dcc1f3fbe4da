// Phone numbers as people write them.
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { phoneNumber } from '../../src/contract/index.ts';

/** The number, if the service can be asked about it. libphonenumber accepts some that are too long for E.164. */
export const askable = (number: unknown): string | undefined => phoneNumber.safeParse(number).data;

/** A number as people write it, national or international, as E.164; `undefined` if it is not a number. */
export const parsePhoneNumber = (typed: string, region: string): string | undefined => {
  const parsed = parsePhoneNumberFromString(typed, { defaultCountry: region as CountryCode, extract: true });
  return parsed?.isPossible() ? askable(parsed.number) : undefined;
};
