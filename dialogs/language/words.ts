// How words are compared: whatever the script, as words with one space between them, with typing mistakes or without,
// and with the phrases that each language lists.
import { LRUCache } from 'lru-cache';
import type { TextKey, Texts } from '../../cards/index.ts';

/** Results for longer texts are not cached. */
const longestKept = 200;

/** The function with a cache of its last results: most compared texts are the bot's words, repeated in every turn. */
const remembered = <Result extends string | readonly string[]>(max: number, make: (text: string) => Result): ((text: string) => Result) => {
  const results = new LRUCache<string, Result>({ max, memoMethod: make });
  return (text) => (text.length > longestKept ? make(text) : results.memo(text));
};

/** The function with its result for each language kept. */
export const perLanguage = <Made>(make: (t: Texts) => Made): ((t: Texts) => Made) => {
  const made = new WeakMap<Texts, { readonly of: Made }>();
  return (t) => {
    const known = made.get(t) ?? { of: make(t) };
    made.set(t, known);
    return known.of;
  };
};

/**
 * Caches what is read from the last texts in each language: one turn asks for it up to five times, and
 * most of what people say is a button's title, a number, or yes. `typos`: whether words with a typing mistake count; they
 * do not in a language that is only guessed.
 */
export const readOnce = <Read, More extends readonly unknown[] = []>(
  read: (typed: string, t: Texts, typos: boolean, ...more: More) => Read,
) => {
  const known = new WeakMap<Texts, LRUCache<string, { readonly read: Read }>>();
  return (typed: string, t: Texts, { typos = true }: { readonly typos?: boolean } = {}, ...more: More): Read => {
    if (typed.length > longestKept) return read(typed, t, typos, ...more);
    const readings = known.get(t) ?? new LRUCache({ max: 100 });
    const name = `${typos} ${typed}`;
    const found = readings.get(name);
    if (found) return found.read;
    const made = { read: read(typed, t, typos, ...more) };
    readings.set(name, made);
    known.set(t, readings);
    return made.read;
  };
};

/** Letters of scripts that put no space between words. A run of katakana is a word of its own, mostly a loan word. */
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}々]|[\p{Script=Katakana}ー]+/gu;

/** Whether a text has such letters. */
export const isSpaceless = (text: string): boolean => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);

/** Text without accents and vowel marks. The voicing marks of kana stay: they make other letters, not other accents. */
export const unaccented = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/(?![\u3099\u309A])\p{M}/gu, '')
    .normalize('NFC');

/** What French, and its neighbours, write onto the next word: “l’adresse”, “qu’un”. Not “don’t”. */
const elided = /(?<![\p{L}\p{N}])([cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’‘ʼ`´](?=\p{L})/gu;

/**
 * The Arabic article with prefixes, if a word remains after it: “and the”, “with the”, “for the”.
 */
const prefix = '[وف]?(?:[بك]?ال|لل)';
const article = new RegExp(`(?<!\\p{L})${prefix}(?=\\p{Script=Arabic}{3,})`, 'gu');

/** A word as part of a pattern; an Arabic one with or without its article. The word must not contain pattern syntax. */
export const withOrWithoutArticle = (word: string): string =>
  /\p{Script=Arabic}/u.test(word) ? `(?:${prefix})?${word.replace(article, '')}` : word;

/** Text with its digits as 0 to 9, and Arabic decimal and thousands marks as those of English. */
export const westernDigits = (text: string): string =>
  text
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/(?<=\d)٫(?=\d)/g, '.')
    .replace(/(?<=\d)٬(?=\d)/g, ',');

/** Text in the form used for comparing: lower case, no accents, punctuation or double spaces. “dont” equals “don't”. */
export const comparable: (text: string) => string = remembered(500, (text) =>
  unaccented(westernDigits(text))
    .toLowerCase()
    .replace(/ß/g, 'ss')
    // Spellings that many people do not distinguish when typing, and a stretching mark without meaning.
    .replace(/ى/g, 'ي')
    .replace(/ة/g, 'ه')
    .replace(/ـ/g, '')
    .replace(article, '')
    .replace(elided, '$1 ')
    .replace(/['’‘ʼ`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(spaceless, ' $& ')
    .replace(/ {2,}/g, ' ')
    .trim(),
);

/**
 * The ways in which a phrase is typed: with its accents or without, “für” as “fuer”, “j’ai” as “jai”. Ready to compare.
 */
export const spellingsOf: (phrase: string) => readonly string[] = remembered(5_000, (phrase) => {
  const spelled = phrase.normalize('NFC').toLowerCase();
  const umlauts = spelled.replace(/[äöü]/g, (letter) => `${unaccented(letter)}e`);
  return [...new Set([spelled, umlauts, spelled.replace(/['’](?=\p{L})/gu, '')].map(comparable))].filter(Boolean);
});

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** The words of a text, ready to compare; if no spaces separate them, split by the dictionary. */
export const wordsOf = (text: string): readonly string[] =>
  isSpaceless(text)
    ? [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [comparable(segment)] : []))
    : comparable(text).split(' ');

const longestFirst = (phrases: readonly string[]): readonly string[] => phrases.toSorted((a, b) => b.length - a.length);

/** A text without some phrases, the longest first. Most texts hold none of them, which is quickly seen. */
export const without = (text: string, phrases: readonly string[]) =>
  phrases.some((phrase) => text.includes(phrase))
    ? longestFirst(phrases).reduce(
        (rest, phrase) => (rest.includes(phrase) ? ` ${rest} `.replaceAll(` ${phrase} `, ' ').trim() : rest),
        text,
      )
    : text;

/** The phrases of the locale files, prepared once: every sentence of every customer is compared with all of them. */
const [phrases, distinctive] = [new Map<string, readonly string[]>(), new Map<string, readonly string[]>()];

/** The phrases under a key as they are listed: in the locale file they are one string, separated by `|`. */
export const listedIn = (t: Texts, key: TextKey): readonly string[] =>
  t(key)
    .split('|')
    .map((phrase) => phrase.trim());

/** The phrases under a key that `counts` lets through, ready to compare, from the map that keeps them by their text. */
const kept = (known: Map<string, readonly string[]>, t: Texts, key: TextKey, counts: (phrase: string) => boolean): readonly string[] => {
  const listed = t(key);
  const before = known.get(listed);
  if (before) return before;
  const made = listedIn(t, key).filter(counts).flatMap(spellingsOf);
  known.set(listed, made);
  return made;
};

/** The phrases under a key, ready to compare. */
export const phrasesOf = (t: Texts, key: TextKey): readonly string[] => kept(phrases, t, key, () => true);

/**
 * The phrases under a key that were listed as several words: they keep their meaning among other words. In a language
 * that puts no spaces between words, a space in the list marks such a phrase.
 */
export const distinctiveIn = (t: Texts, key: TextKey): readonly string[] => kept(distinctive, t, key, (phrase) => phrase.includes(' '));

export const holds = (text: string, phrase: string) => text.includes(phrase) && ` ${text} `.includes(` ${phrase} `);
export const holdsAny = (text: string, phrases: readonly string[]) => phrases.some((phrase) => holds(text, phrase));

/** Length in letters of the longest of these phrases that stands in the text as whole words; 0 for none. */
export const longestIn = (text: string, phrases: readonly string[]) =>
  phrases.reduce((longest, phrase) => (holds(text, phrase) ? Math.max(longest, phrase.length) : longest), 0);

/** The one with the longest matching phrase; `undefined` when none matches or two match equally. */
export const best = <Name extends string>(
  text: string,
  names: readonly Name[],
  phrases: (name: Name) => readonly string[],
): Name | undefined => {
  const scored = names.map((name) => ({ name, score: longestIn(text, phrases(name)) })).sort((a, b) => b.score - a.score);
  const [first, second] = scored;
  return first && first.score > 0 && first.score !== second?.score ? first.name : undefined;
};

const joints = new Map<string, RegExp>();

const jointOf = (words: readonly string[]): RegExp => {
  const between = longestFirst(words).filter((word) => !isSpaceless(word));
  const within = longestFirst(words).filter(isSpaceless);
  // Marks that never occur within a number or an address end a clause even without a following space.
  const marks = ['(?<![.,;:!?¡¿])[.,;:!?¡¿]+(?=\\s|$)', '[。、！？，；،؛؟]+', '\n'];
  return new RegExp([...marks, ...(between.length > 0 ? [`\\s(?:${between.join('|')})(?=\\s)`] : []), ...within].join('|'), 'iu');
};

/** The clauses of a sentence, split at punctuation and at words such as “and then”. Without accents. */
export const clausesOf = (typed: string, t: Texts): string[] => {
  const listed = t('phrases.then');
  const joint = joints.get(listed) ?? jointOf(listedIn(t, 'phrases.then').map(unaccented));
  joints.set(listed, joint);
  return unaccented(typed)
    .split(joint)
    .map((clause) => clause.trim())
    .filter(Boolean);
};

/** The text in the form used for comparing, followed by the text without each of these kinds of filler words. */
export const wordsSaid = (typed: string, t: Texts, keys: readonly TextKey[]): readonly string[] => {
  const text = comparable(typed);
  return [text, ...keys.map((key) => without(text, phrasesOf(t, key)))];
};

/** The name of which one phrase and nothing else was said. */
export const wholly = <Name extends string>(said: readonly string[], names: readonly Name[], phrases: (name: Name) => readonly string[]) =>
  names.find((name) => phrases(name).some((phrase) => said.includes(phrase)));
