// Fields that several parts of the catalogue share.
import { z } from 'zod';

export const text = z.string().trim().min(1, 'must not be empty').max(2000, 'must have 2000 characters at most');
export const uuid = z.guid('must be a UUID').toLowerCase();

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** How many decimals a currency has, by ISO 4217 as Intl knows it; `undefined` for a code that is none. */
export const decimalsOf = (currency: string): number | undefined => {
  if (!currencies.has(currency)) return undefined;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
};

export const currency = z.string().refine((code) => decimalsOf(code) !== undefined, 'must be a currency code of ISO 4217, for example EUR');
