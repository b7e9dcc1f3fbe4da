// Customers' words as values of flows.
import { z } from 'zod';
import { dayIn, parsePhoneNumber, readAmount, readDate, readNumber, type Turn } from '../../../dialogs/index.ts';
import type { ValueType } from '../grammar/schema.ts';

/** How the customer writes. `today`: their current date, `YYYY-MM-DD`. */
export const writingIn = ({
  memory,
  services,
  t,
}: Pick<Turn, 'memory' | 't'> & { readonly services: Pick<Turn['services'], 'clock' | 'defaultRegion'> }) => ({
  locale: t.locale,
  region: services.defaultRegion,
  today: dayIn(memory.timeZone, services.clock.now()),
});
export type Said = ReturnType<typeof writingIn>;

/** What the words may mean as a value of a type: nothing, one value, or two if they are ambiguous. */
export const readingsOf = (
  type: ValueType,
  words: string,
  { locale, region, today }: Said,
  currency?: string | undefined,
): readonly string[] => {
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  switch (type) {
    case 'number':
      return readNumber(words, locale);
    case 'money':
      return readAmount(words, locale, currency);
    case 'date':
      return readDate(words, locale, today);
    case 'email':
      return one(z.email().safeParse(words.trim()).data);
    case 'phone':
      return one(parsePhoneNumber(words, region));
    case 'text':
      return one(words.trim() || undefined);
    // Yes and no are choices.
    case 'yes-no':
      return [];
    default:
      return type satisfies never;
  }
};

/** A reading as a value of its type. */
export const asValue = (type: ValueType | 'choice', reading: string): string | number =>
  type === 'number' || type === 'money' ? Number(reading) : reading;
