// A small recogniser: the commands, wishes and remarks in a sentence, and which of several things it names or picks, by
// the phrases that each language lists.
import type { TextKey, Texts } from '../../cards/index.ts';
import { type AppId, appIds } from '../../src/contract/index.ts';
import { isHardship } from './hardship.ts';
import { areOneTypoApart, correctable, corrected, type KnownWords, vocabularyFrom } from './typos.ts';
import {
  best,
  clausesOf,
  comparable,
  distinctiveIn,
  holds,
  holdsAny,
  isSpaceless,
  listedIn,
  longestIn,
  perLanguage,
  phrasesOf,
  readOnce,
  spellingsOf,
  unaccented,
  wholly,
  without,
  wordsOf,
  wordsSaid,
} from './words.ts';

/** What the customer can say at any point. */
export const commands = ['status', 'resend', 'cancel', 'help', 'restart', 'number', 'agent'] as const;
export type ChatCommand = (typeof commands)[number];

/** Words said to the bot that ask for nothing. */
export type Remark = 'greeting' | 'thanks' | 'goodbye' | 'no' | 'scam' | 'verified' | 'identity' | 'account' | 'sender';

/** An app the customer wants, and their words without accents, which may name a number, a bill or a document. */
export interface Wish {
  readonly app: AppId;
  readonly words: string;
  /** A phone number (E.164) given with another wish of the same sentence: it counts for all of them. */
  readonly phoneNumber?: string;
}

/** Commands that end something: they count only if nothing else is said. */
const ending: ReadonlySet<ChatCommand> = new Set(['cancel', 'restart']);

/** The command, if nothing else was said: its phrase alone or with “please”, or a longer phrase among courtesies. */
export const bareCommandIn = (typed: string, t: Texts): ChatCommand | undefined => {
  const alone = wholly(wordsSaid(typed, t, ['phrases.please']), commands, (name) => phrasesOf(t, `phrases.${name}`));
  const beside = (name: ChatCommand) => without(comparable(typed), distinctiveIn(t, `phrases.${name}`));
  return (
    alone ?? commands.find((name) => beside(name) !== comparable(typed) && without(beside(name), phrasesOf(t, 'phrases.courtesy')) === '')
  );
};

/**
 * The command in a sentence: alone or among courtesies ("please cancel it"), or as a longer phrase anywhere ("it does
 * not work, I want to talk to a person"). A negated one does not count ("do not send it again"), and one that ends
 * something must stand alone: "how can I cancel?" ends nothing. Who cannot pay needs a person, not a payment.
 */
export const commandIn = readOnce((typed, t, typos): ChatCommand | undefined => {
  if (isHardship(typed, t)) return 'agent';
  const alone = wholly(wordsSaid(typed, t, ['phrases.courtesy']), commands, (name) => phrasesOf(t, `phrases.${name}`));
  if (alone) return alone;
  const mistyped = typos ? mistypedIn(typed, t) : undefined;
  if (mistyped) return mistyped;
  for (const clause of clausesOf(typed, t).map(comparable)) {
    const found = best(clause, commands, (name) => (ending.has(name) ? [] : distinctiveIn(t, `phrases.${name}`)));
    const beside = found && without(clause, phrasesOf(t, `phrases.${found}`));
    if (found && !holdsAny(beside ?? '', phrasesOf(t, 'phrases.not'))) return found;
  }
  return undefined;
});

/** The command that one word alone gives in spite of a typing mistake. */
const mistypedIn = (typed: string, t: Texts): ChatCommand | undefined => {
  const word = without(comparable(typed), phrasesOf(t, 'phrases.please'));
  if (word.length < correctable || word.includes(' ')) return undefined;
  return commands.find((name) =>
    phrasesOf(t, `phrases.${name}`).some((phrase) => phrase.length > correctable && areOneTypoApart(phrase, word)),
  );
};

/** Whether the words contain a negation: the customer does not want what they name. */
export const isNegated = (typed: string, t: Texts): boolean => holdsAny(comparable(typed), phrasesOf(t, 'phrases.not'));

/** Whether the customer says they do not want something. */
export const isUnwanted = (typed: string, t: Texts): boolean => holdsAny(comparable(typed), phrasesOf(t, 'phrases.unwanted'));

const questions = ['scam', 'verified', 'identity', 'account'] as const;
const remarks = [...questions, 'greeting', 'thanks', 'goodbye', 'no', 'sender'] as const;

/** A question about the chat itself anywhere in the sentence, or a courtesy if there is nothing else. */
export const remarkIn = readOnce((typed, t): Remark | undefined => {
  const asked = best(comparable(typed), questions, (name) => distinctiveIn(t, `phrases.remarks.${name}`));
  return asked ?? bareRemarkIn(typed, t);
});

/** The remark, if nothing else was said. */
export const bareRemarkIn = (typed: string, t: Texts): Remark | undefined =>
  wholly(wordsSaid(typed, t, ['phrases.please', 'phrases.courtesy']), remarks, (name) => phrasesOf(t, `phrases.remarks.${name}`));

const phrasesOfApp = (t: Texts, app: AppId) => phrasesOf(t, `phrases.apps.${app}`);

/** The words of the apps' names and phrases. */
const vocabularyOf = perLanguage((t) => {
  const phrases = appIds.flatMap((app) => [comparable(t(`apps.${app}.name`)), ...phrasesOfApp(t, app)]);
  return vocabularyFrom(
    phrases.flatMap((phrase) => phrase.split(' ')),
    phrasesOf(t, 'phrases.noTypo'),
  );
});

/** The words of other phrases. Words that apps know are no mistakes for them, except other spellings: “aendern”. */
export const vocabularyBeside = (words: readonly string[], t: Texts): KnownWords => {
  const spelled = new Set(words.flatMap(spellingsOf));
  return vocabularyFrom(
    words.map((word) => unaccented(word).toLowerCase()),
    [...vocabularyOf(t).right].filter((word) => !spelled.has(word)),
  );
};

const named = (text: string, t: Texts, apps: readonly AppId[] = appIds) =>
  apps.find((app) => [app, t(`apps.${app}.name`), t(`menu.titles.${app}`)].some((name) => text === comparable(name)));

const wantedIn = (text: string, t: Texts, typos: boolean): AppId | undefined => {
  const read = (words: string) => named(words, t) ?? best(words, appIds, (app) => phrasesOfApp(t, app));
  return isUnwanted(text, t) ? undefined : (read(text) ?? (typos ? read(corrected(text, vocabularyOf(t))) : undefined));
};

/**
 * How exactly a sentence names one of these apps: letters of the longest of their phrases in it; 0 for none that may be
 * wanted.
 */
export const specificityOf = (typed: string, t: Texts, apps: readonly AppId[]): number => {
  const text = comparable(typed);
  if (named(text, t, apps)) return text.length;
  return holdsAny(text, phrasesOf(t, 'phrases.unwanted'))
    ? Number.POSITIVE_INFINITY
    : Math.max(0, ...apps.map((app) => longestIn(text, phrasesOfApp(t, app))));
};

/** The wishes in a sentence, in order: by the apps' names, or the words people use for them. */
export const wishesIn = readOnce((typed, t, typos): readonly Wish[] => {
  const whole = named(comparable(typed), t);
  if (whole) return [{ app: whole, words: typed }];
  const wishes = new Map<AppId, string[]>();
  let ahead: string[] = [];
  let last: AppId | undefined;
  for (const clause of clausesOf(typed, t)) {
    // Details may follow a wish directly ("pay my bill, number 4711"), or later by its name ("…, invoice 4711").
    const app = wantedIn(comparable(clause), t, typos) ?? last;
    if (app) {
      wishes.set(app, [...(wishes.get(app) ?? ahead), clause]);
      ahead = [];
      last = app;
      // A number ahead of every wish belongs to the first: "number 4711, please pay it".
    } else if (/\d/.test(clause)) ahead.push(clause);
  }
  return [...wishes].map(([app, words]) => ({ app, words: words.join(', ') }));
});

/** The app a sentence asks for first. */
export const appIn = (typed: string, t: Texts, reading?: { readonly typos?: boolean }): AppId | undefined =>
  wishesIn(typed, t, reading)[0]?.app;

/** Words of this many letters may distinguish one thing from another. */
const minLetters = 4;

/** Two letters of a script without spaces, separated by a space in the form used for comparing. */
const minUnspaced = 3;

/**
 * The thing that the words of a wish name: by its title or another name, by a number in its title or identifier, or by
 * a word that no other title has. Words that only name the app ("invoice", "document") do not count.
 */
export const namedIn = <Thing extends { readonly title: string; readonly value: unknown; readonly names?: readonly string[] }>(
  wish: string,
  things: readonly Thing[],
  t: Texts,
): Thing | undefined => {
  const generic = appIds.flatMap((app) => phrasesOfApp(t, app));
  const text = comparable(wish);
  const whole = things.filter(({ title, names = [] }) => holdsAny(text, [title, ...names].map(comparable)));
  if (whole.length > 0) return whole.length === 1 ? whole[0] : undefined;
  const words = wordsOf(wish).filter((word) => !generic.includes(word));
  // One or two digits are a quantity or a position in the list.
  const numbers = words.filter((word) => /\d/.test(word) && word.length > 2);
  const distinct = numbers.length > 0 ? numbers : words.filter((word) => word.length >= (isSpaceless(word) ? minUnspaced : minLetters));
  // Only an identifier is searched besides the title: a number that is a position in the list means something else.
  const said = ({ title, value }: Thing) => comparable(typeof value === 'string' ? `${title} ${value}` : title);
  const meant = things.filter((thing) =>
    distinct.some((word) => (numbers.length > 0 ? said(thing).includes(word) : holds(said(thing), word))),
  );
  return meant.length === 1 ? meant[0] : undefined;
};

/** The ways to say a choice. `phrases`: a text that lists them, or the phrases themselves. */
type Pickable = { readonly title: string; readonly phrases?: TextKey | readonly string[] };

const waysToSay = ({ title, phrases = [] }: Pickable, t: Texts): readonly string[] =>
  [comparable(title), ...(typeof phrases === 'string' ? phrasesOf(t, phrases) : phrases.map(comparable))].filter(Boolean);

/** The words for each position in a list. */
const positionsOf = perLanguage((t) => listedIn(t, 'phrases.places').map((words) => words.split(' ').flatMap(spellingsOf)));

/** What may stand around a position in a list. */
const fillersOf = perLanguage((t) => [...phrasesOf(t, 'phrases.placing'), ...phrasesOf(t, 'phrases.courtesy')]);

/** A position in a list, from 1: "2", "the second one", "option two". */
const positionIn = (text: string, t: Texts): number | undefined => {
  const positions = positionsOf(t);
  if (!/\d/.test(text) && !positions.some((words) => words.some((word) => text.includes(word)))) return undefined;
  const rest = without(text, fillersOf(t));
  // "The second one" is not the first.
  const says = (word: string) => ` ${rest} `.startsWith(` ${word} `) && without(rest.slice(word.length), positions[0] ?? []).trim() === '';
  const [digits = ''] = /^\d{1,2}(?= |$)/.exec(rest) ?? [];
  if (digits && says(digits)) return Number(digits);
  const position = positions.findIndex((words) => words.some(says)) + 1;
  return position || undefined;
};

/**
 * The choice that typed words pick: by title or phrase, by a number shown beside it, or by one choice's phrases with
 * nothing but courtesies around them ("yes please", "ok, send it"). Numbers that are not shown pick nothing, so that
 * one meant for the previous question does no harm.
 */
export const pickedBy = <Choice extends Pickable>(
  typed: string,
  { choices, numbered = 0 }: { readonly choices: readonly Choice[]; readonly numbered?: number },
  t: Texts,
  /** The language of the choices, if another. */
  asked: Texts = t,
): Choice | undefined => {
  const text = comparable(typed);
  const sayable = choices.map((choice) => ({ choice, ways: waysToSay(choice, asked) }));
  const exact = sayable.find(({ ways }) => ways.includes(text));
  if (exact) return exact.choice;
  const position = positionIn(text, t) ?? 0;
  if (position > 0 && position <= numbered) return choices[position - 1];
  const courtesy = phrasesOf(t, 'phrases.courtesy');
  const [said, another] = sayable.filter(({ ways }) => {
    const rest = without(text, ways);
    return rest !== text && without(rest, courtesy) === '';
  });
  return another ? undefined : said?.choice;
};
