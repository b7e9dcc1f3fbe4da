// Text messages in the alphabet of GSM 03.38, of which a segment holds 160 characters; one character outside of it
// leaves room for 70.
import { LRUCache } from 'lru-cache';
import { SegmentedMessage } from 'sms-segments-calculator';

/** The bot's own signs; the library knows quotes, dashes, bullets, dots and spaces. */
const ours: Readonly<Record<string, string>> = {
  '•': '*',
  ' · ': ', ',
  '·': ',',
  '✓ ': '',
  '✕ ': '',
  '● ': '',
  '○ ': '',
  '›': '>',
  '−': '-',
};
const signs = new RegExp(Object.keys(ours).join('|'), 'g');

/**
 * The text with signs replaced by their equivalents in that alphabet. Letters stay: names are not respelt, and a text
 * with other letters is sent in Unicode.
 */
export const inSegments = (text: string): string =>
  new SegmentedMessage(
    text.replace(signs, (sign) => ours[sign] as string),
    'auto',
    true,
  ).encodedChars
    .map(({ raw }) => raw)
    .join('')
    .replace(/ {2,}/g, ' ');

/**
 * The words without those accents that the alphabet lacks, as people write text messages anyway. If that is
 * not enough, as in Arabic, they stay unchanged: a segment then has 70 characters.
 */
export const withoutAccents = (text: string): string => plainer.memo(text);

/** All words of a language are requested at once, again for every time zone, and the library takes half a second. */
const plainer = new LRUCache<string, string>({
  max: 5000,
  memoMethod: (text) => {
    const letters = [...inSegments(text)].map((letter) => (isIn(letter) ? letter : letter.normalize('NFD').replace(/\p{M}/gu, '')));
    return letters.every((letter) => [...letter].every(isIn)) ? letters.join('') : text;
  },
});
const alphabet = new LRUCache<string, boolean>({
  max: 5000,
  memoMethod: (letter) => new SegmentedMessage(letter).getNonGsmCharacters().length === 0,
});

const isIn = (letter: string): boolean => alphabet.memo(letter);
