// A small recogniser: which app or command a sentence means, by the phrases each language lists.

import type { Texts } from '../cards/index.ts';
import { type AppId, appIds } from '../src/contract/index.ts';
import { plain } from './input.ts';

/** What the customer can say at any point. */
export const commands = ['status', 'resend', 'cancel', 'help', 'restart', 'agent'] as const;
export type Command = (typeof commands)[number];

/** A sentence this long is a request in the customer's own words, not a command with a few more words around it. */
const commandWords = 6;

/** What locale files say, made ready once: every sentence of every customer is held against all of it. */
const ready = new Map<string, readonly string[]>();

/** The phrases of a language under a key, ready to compare. In the locale file they stand in one string, apart by `|`. */
export const phrasesOf = (t: Texts, key: string): readonly string[] => {
  const listed = t(key);
  const known = ready.get(listed);
  if (known) return known;
  const phrases = listed.split('|').map(plain).filter(Boolean);
  ready.set(listed, phrases);
  return phrases;
};

/** Length in letters of the longest of these phrases that stands in the text as whole words; 0 for none. */
const longestIn = (text: string, phrases: readonly string[]) =>
  phrases.reduce((longest, phrase) => (` ${text} `.includes(` ${phrase} `) ? Math.max(longest, phrase.length) : longest), 0);

/** The one with the longest matching phrase; `undefined` when none matches or two match equally. */
const best = <Name extends string>(text: string, names: readonly Name[], phrases: (name: Name) => readonly string[]): Name | undefined => {
  const scored = names.map((name) => ({ name, score: longestIn(text, phrases(name)) })).sort((a, b) => b.score - a.score);
  const [first, second] = scored;
  return first && first.score > 0 && first.score !== second?.score ? first.name : undefined;
};

/** Commands that end something: these must be what a sentence says, not only stand in it. */
const ending: ReadonlySet<Command> = new Set(['cancel', 'restart']);

/** A text without some phrases, the longest first. */
const without = (text: string, phrases: readonly string[]) =>
  phrases.toSorted((a, b) => b.length - a.length).reduce((rest, phrase) => ` ${rest} `.replaceAll(` ${phrase} `, ' ').trim(), text);

/**
 * The command a short sentence gives, in its own or other words. One that is negated gives none ("do not send it again"), and one that ends
 * something gives it only when nothing but courtesy stands beside it: "please cancel it" does, "how can I cancel?" does not.
 */
export const commandIn = (typed: string, t: Texts): Command | undefined => {
  const text = plain(typed);
  if (text.split(' ').length > commandWords) return undefined;
  const command = best(text, commands, (name) => phrasesOf(t, `phrases.${name}`));
  if (!command) return undefined;
  const phrases = phrasesOf(t, `phrases.${command}`);
  if (ending.has(command)) {
    const asked = without(text, phrasesOf(t, 'phrases.courtesy'));
    return phrases.includes(text) || phrases.includes(asked) ? command : undefined;
  }
  const beside = without(text, phrases);
  return phrasesOf(t, 'phrases.not').some((word) => ` ${beside} `.includes(` ${word} `)) ? undefined : command;
};

/** The app a sentence asks for: its identifier, its name, or the words people use for it. */
export const appIn = (typed: string, t: Texts): AppId | undefined => {
  const text = plain(typed);
  return (
    appIds.find((app) => text === plain(app) || text === plain(t(`apps.${app}.name`))) ??
    best(text, appIds, (app) => phrasesOf(t, `phrases.apps.${app}`))
  );
};
