// Text as it is spoken: amounts, days and rows of figures are marked where they are written, and become
// SSML at the very end (W3C Speech Synthesis Markup Language 1.1; "SSML 1.0 say-as attribute values", W3C Note of
// 2005).
import type { Texts } from '../../cards/index.ts';

/**
 * How a piece of text is spoken: those values of `interpret-as` that Azure, Google and Amazon have in common.
 */
export type SaidAs = 'currency' | 'date' | 'characters';

// Private use characters (Unicode, 23.5) that nobody types: before the plain words, between them and the form for
// machines, behind it.
const starts: Readonly<Record<SaidAs, string>> = { currency: '\uE000', date: '\uE001', characters: '\uE002' };
const between = '\uE00E';
const end = '\uE00F';
const marks = /[\uE000-\uE00F]/g;
const marked = /([\uE000-\uE002])([^\uE000-\uE00F]*)\uE00E([^\uE000-\uE00F]*)\uE00F/g;

/** The words, with how they are said. `machine`: as a speech engine takes them. */
export const asSaid = (as: SaidAs, words: string, machine: string): string => starts[as] + words + between + machine + end;

const plainly = (text: string) => text.replace(marked, '$2').replace(marks, '');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
// Control characters are no part of XML 1.0, escaped or not.
const escaped = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replace(/[&<>"']/g, (character) => entities[character] as string);

const kinds = Object.fromEntries(Object.entries(starts).map(([as, start]) => [start, as])) as Readonly<Record<string, SaidAs>>;

const element = (start: string, machine: string, locale: string): string => {
  const as = kinds[start];
  const attributes = as === 'date' ? ' format="ymd"' : as === 'currency' ? ` language="${escaped(locale)}"` : '';
  return `<say-as interpret-as="${as}"${attributes}>${escaped(machine)}</say-as>`;
};

const marking = (line: string, locale: string): string => {
  let done = '';
  let at = 0;
  for (const { 0: whole, 1: start = '', 3: machine = '', index } of line.matchAll(marked)) {
    done += escaped(plainly(line.slice(at, index))) + element(start, machine, locale);
    at = index + whole.length;
  }
  return done + escaped(plainly(line.slice(at)));
};

// Masks as dialogs/asking/caller.ts makes them: of a phone number, an e-mail address, and a name.
const maskedNumber = /\+\d•••(\d{4})/g;
const maskedEmail = /(\S)•••@•••(\.\S+)?/g;
const maskedName = /(\S)•••(?: (\S)\.)?/g;

const initials = (...letters: readonly (string | undefined)[]) => {
  const known = letters.filter((letter) => letter !== undefined).map((letter) => letter.toUpperCase());
  return asSaid('characters', known.map((letter) => `${letter}.`).join(' '), known.join(''));
};

/** Signs that are seen but not spoken; the last ones only set the direction of a mask. */
const signs = /[●✓✕○•›‹“”„«»"…\u200E\u200F]|^– |\s[–—](?=\s)/g;

/**
 * The keys from 1 on that are positions in a list: 9 repeats what was said, and a two-digit position can only be chosen
 * by its name.
 */
const lastKey = 8;

/** One line as it is spoken: no masks, no marks, no addresses; a number in front of a choice stays. */
const sayable = (line: string, t: Texts): string =>
  line
    .replace(/https?:\/\/\S+/g, t('speech.link'))
    .replace(maskedNumber, (_mask, last: string) => t('speech.number', { last: t.digits(last) }))
    .replace(maskedEmail, (_mask, first: string) => t('speech.email', { first: t.digits(first.toUpperCase()) }))
    .replace(maskedName, (_mask, first: string, last?: string) => initials(first, last))
    .replace(/^– /, '')
    .replace(/([.!?。！？؟])?(?: · |\s[–—]\s)/g, (_all, mark?: string) => (mark === undefined ? ', ' : `${mark} `))
    .replace(/\s[–—]$/, '')
    .replace(signs, '')
    .replace(/^(\d+)\. (.+)$/, (_all, number: string, title: string) =>
      Number(number) > lastKey ? title : t('speech.numbered', { number, title }),
    )
    .replace(/ {2,}/g, ' ')
    .replace(/(?<!\s)\s+([.,;:?!])/g, '$1')
    .trim();

/** A voice pauses at the end of a sentence. */
const closed = (line: string) => (/[.?!:,;。？！：、؟؛،]$/.test(plainly(line)) ? line : `${line}.`);

/** Lines of text as they are said aloud, in the language of these texts: in words and as SSML. */
export const asSpoken = (text: string, t: Texts) => {
  // Direction marks are not heard.
  const lines = text
    .replaceAll('\u200E', '')
    .split('\n')
    .flatMap((line) => {
      const said = sayable(line, t);
      return said === '' ? [] : [closed(said)];
    });
  const sentences = lines.map((line) => `<s>${marking(line, t.locale)}</s>`).join('');
  return {
    text: lines.map(plainly).join('\n'),
    ssml: `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${escaped(t.locale)}">${sentences}</speak>`,
  };
};

/** The plain text, without the marks that say how it is spoken: for people who read along. */
export const unmarked = (text: string): string => plainly(text);
