// A passcode as people hand it over: any six characters (specification: Limits), in the card's field or among words in the chat.
import type { Texts } from '../cards/index.ts';
import { plain } from './input.ts';
import { phrasesOf } from './recogniser.ts';

/** Six digits, with spaces or hyphens between them, perhaps with words around. */
const digitsIn = (typed: string): string | undefined => /(?<!\d[ -]?)\d(?:[ -]?\d){5}(?![ -]?\d)/.exec(typed)?.[0].replace(/[ -]/g, '');

/** What was entered where nothing but a code is asked for. Six characters are taken as they are; only what cannot be a code yet loses its spaces. */
const entered = (typed: string): string | undefined =>
  [typed, typed.replace(/\s/g, '')].find((text) => /^\S{6}$/.test(text)) ?? digitsIn(typed);

/**
 * What was typed into the chat, where people also talk (decision 0024). Six characters with a digit among them are a code, alone or as the only such
 * word of a sentence. Letters alone are a word, unless they stand in capitals after a word for "code".
 */
const said = (typed: string, t: Texts): string | undefined => {
  if (/^(?=.*\d)\S{6}$/.test(typed)) return typed;
  const digits = digitsIn(typed);
  if (digits !== undefined) return digits;
  const words = typed.split(/\s+/).map((word) => word.replace(/[.,;:!?]+$/, ''));
  const mixed = words.filter((word) => /^(?=.*\d)(?=.*[\p{L}_])[\p{L}\p{N}_-]{6}$/u.test(word));
  if (mixed.length === 1) return mixed[0];
  const [named = '', letters = ''] = words.slice(-2);
  const isNamed = phrasesOf(t, 'phrases.apps.one-time-passcode').includes(plain(named)) && named !== named.toUpperCase();
  return isNamed && /^\p{Lu}{6}$/u.test(letters) ? letters : undefined;
};

/** The code in what came by `by`; `undefined` when there is none. */
export const passcodeIn = (typed: string, by: 'card' | 'chat', t: Texts): string | undefined => {
  const text = typed.normalize('NFKC').trim();
  return by === 'card' ? entered(text) : said(text, t);
};
