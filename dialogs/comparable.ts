// How words are compared: whatever the script, as words with one space between them.
import { LRUCache } from 'lru-cache';

/** Of a longer text no result is kept. */
const longestKept = 200;

/** The function with its last results: what is compared is mostly our own words, in every turn again. */
const remembered = <Result extends string | readonly string[]>(max: number, make: (text: string) => Result): ((text: string) => Result) => {
  const results = new LRUCache<string, Result>({ max });
  return (text) => {
    if (text.length > longestKept) return make(text);
    const known = results.get(text);
    if (known !== undefined) return known;
    const made = make(text);
    results.set(text, made);
    return made;
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
 * The Arabic article with what is written onto it, where a word is left behind it: “and the”, “with the”, “for the”.
 */
const prefix = '[وف]?(?:[بك]?ال|لل)';
const article = new RegExp(`(?<!\\p{L})${prefix}(?=\\p{Script=Arabic}{3,})`, 'gu');

/** A word as part of a pattern: one of Arabic with or without its article. The word must not hold signs of patterns. */
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
    // Spellings that many people do not tell apart when they type, and a stretching that means nothing.
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

/** The words of a text, ready to compare; where no spaces part them, as the dictionary does. */
export const wordsOf = (text: string): readonly string[] =>
  isSpaceless(text)
    ? [...segmenter.segment(text)].flatMap(({ segment, isWordLike }) => (isWordLike ? [comparable(segment)] : []))
    : comparable(text).split(' ');

/** Lists of phrases, the longest first. */
const sorted = new WeakMap<readonly string[], readonly string[]>();

export const longestFirst = (phrases: readonly string[]): readonly string[] => {
  const known = sorted.get(phrases) ?? phrases.toSorted((a, b) => b.length - a.length);
  sorted.set(phrases, known);
  return known;
};

/** A text without some phrases, the longest first. */
export const without = (text: string, phrases: readonly string[]) =>
  longestFirst(phrases).reduce((rest, phrase) => (rest.includes(phrase) ? ` ${rest} `.replaceAll(` ${phrase} `, ' ').trim() : rest), text);
