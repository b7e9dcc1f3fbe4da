// Compares a customer's name with the name in a signature and the one in a document.
import { z } from 'zod';

/** Names, as a document is sent: the customer's, and what was filled into the blanks for it. */
export const knownNames = z.object({ customer: z.string(), document: z.array(z.string()) });
export type KnownNames = z.output<typeof knownNames>;

/** A name's words, without case, accents or punctuation. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/**
 * Whether two names can be one person's: every word of the shorter one is in the other, in any order, or an initial of
 * one there. A name without letters matches any.
 */
export const canBeOne = (one: string, other: string): boolean => {
  const [few = [], many = []] = [wordsOf(one), wordsOf(other)].sort((left, right) => left.length - right.length);
  const left = [...many];
  // Whole words first, so that an initial does not match in place of one.
  return few
    .toSorted((a, b) => b.length - a.length)
    .every((word) => {
      const exact = left.indexOf(word);
      const found = exact >= 0 ? exact : left.findIndex((there) => isInitial(word, there) || isInitial(there, word));
      if (found >= 0) left.splice(found, 1);
      return found >= 0;
    });
};

const isInitial = (letter: string, word: string) => [...letter].length === 1 && word.startsWith(letter);

/** A document's name for its customer, if it is somebody else's. */
export const otherInDocument = ({ customer, document }: KnownNames): string | undefined =>
  document.find((name) => !canBeOne(name, customer));

/** The name that a signature contradicts: the customer's, else the document's. */
export const contradicted = (typed: string, { customer, document }: KnownNames): string | undefined =>
  [customer, ...document].find((name) => !canBeOne(typed, name));
