// Recognises customers who say that they cannot pay. They are offered a person, and never a payment (decision 0172).
import type { Texts } from '../../cards/index.ts';
import { clausesOf, comparable, listedIn, perLanguage, readOnce, spellingsOf } from './words.ts';

/** Stands for any words between the parts of a phrase: “kann … nicht bezahlen”. */
const gap = '…';

const phrasesOf = perLanguage((t) => listedIn(t, 'phrases.hardship').map((phrase) => phrase.split(gap).map(spellingsOf)));

/** Whether the parts stand in the clause in this order. Each is given in all of its spellings. */
const holdsInOrder = (clause: string, parts: readonly (readonly string[])[]): boolean => {
  let rest = ` ${clause} `;
  return parts.every((spellings) => {
    const found = spellings.find((spelling) => rest.includes(` ${spelling} `));
    if (found !== undefined) rest = rest.slice(rest.indexOf(` ${found} `) + found.length + 1);
    return found !== undefined;
  });
};

/**
 * Whether a clause says that the customer cannot pay, or why: “I lost my job”, “I can't afford it”. “I cannot find my
 * bill, I want to pay” says neither.
 */
export const isHardship = readOnce((typed: string, t: Texts): boolean =>
  clausesOf(typed, t)
    .map(comparable)
    .some((clause) => phrasesOf(t).some((parts) => holdsInOrder(clause, parts))),
);
