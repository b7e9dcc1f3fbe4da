// What an account has written in other languages than the one of its catalogue.
import { z } from 'zod';
import { type Language, languages } from '../languages.ts';

/** An entry's words by language, beside its own. */
export const translations = <Words extends z.ZodType>(words: Words) => z.partialRecord(z.enum(languages), words).default({});

/** An entry's words in a language, with the language that they are in; no words where only its own are there. */
export const wordsIn = <Words>(
  { texts }: { readonly texts: Readonly<Partial<Record<Language, Words>>> },
  wanted: string,
  own: string,
): { readonly words?: Words; readonly language: string } => {
  const words = (texts as Readonly<Record<string, Words | undefined>>)[wanted];
  return words === undefined ? { language: own } : { words, language: wanted };
};
