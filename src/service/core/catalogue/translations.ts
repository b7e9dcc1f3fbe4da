// An account's texts in languages other than its catalogue's.
import { z } from 'zod';
import { ownValue } from '../../../platform/text/own-value.ts';
import { type Language, languages } from '../languages.ts';

/** An entry's words by language, beside its own. */
export const translations = <Words extends z.ZodType>(words: Words) => z.partialRecord(z.enum(languages), words).default({});

/** An entry's texts in a language, with their language; none if it is not translated. */
export const wordsIn = <Words>(
  { texts }: { readonly texts: Readonly<Partial<Record<Language, Words>>> },
  wanted: string,
  own: string,
): { readonly words?: Words; readonly language: string } => {
  const words = ownValue(texts as Readonly<Record<string, Words | undefined>>, wanted);
  return words === undefined ? { language: own } : { words, language: wanted };
};
