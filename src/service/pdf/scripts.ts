/// <reference path="./arabic-persian-reshaper.d.ts" />
// Scripts beside those of the usual typeface: which of a text's letters belong to which, and in which order and form
// they are printed. The PDF library prints one sign after the other from the left, and joins no letters.
import reshaper from 'arabic-persian-reshaper';
import makeBidi from 'bidi-js';

/** The typefaces of a paper, by the script that they are for. */
export type Script = 'arabic' | 'japanese' | 'usual';

// Its types tell of a default export within, where Node finds the function itself.
const bidi = (makeBidi as unknown as typeof makeBidi.default)();

const arabic = /[\u0600-\u06ff\ufb50-\ufdff\ufe70-\ufefc]/;
const japanese = /[\u2150-\u23ff\u2460-\u27bf\u3000-\u30ff\u3220-\u33ff\u4e00-\u9fff\uf900-\ufaff\uff01-\uffe6]/;

const scriptOf = (character: string): Script => (arabic.test(character) ? 'arabic' : japanese.test(character) ? 'japanese' : 'usual');

/** A text in pieces of one script each. A space belongs to what stands before it. */
export const piecesOf = (text: string): readonly { readonly text: string; readonly script: Script }[] => {
  const pieces: { text: string; script: Script }[] = [];
  for (const character of text) {
    const last = pieces.at(-1);
    const script = last && /\s/.test(character) ? last.script : scriptOf(character);
    if (last?.script === script) last.text += character;
    else pieces.push({ text: character, script });
  }
  return pieces;
};

/**
 * Arabic letters in the forms that they have beside their neighbours (Unicode, Arabic Presentation Forms-B), in their
 * own order.
 */
export const joined = (text: string): string => {
  const signs = text.replace(unseen, '');
  return arabic.test(signs) ? reshaper.ArabicShaper.convertArabic(signs) : signs;
};

/** Marks that only say which way text runs, as Intl puts them around amounts. */
const unseen = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The signs of a line as they stand from left to right (UAX 9), brackets mirrored where they are read from the right.
 */
export const fromLeft = <Sign extends { readonly sign: string }>(signs: readonly Sign[], direction: 'ltr' | 'rtl'): readonly Sign[] => {
  const text = signs.map(({ sign }) => sign).join('');
  if (direction === 'ltr' && !arabic.test(text)) return signs;
  // Every sign that is printed is one UTF-16 unit, so that places in the text are places in the list.
  const levels = bidi.getEmbeddingLevels(text, direction);
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels);
  return bidi.getReorderedIndices(text, levels).flatMap((index) => {
    const found = signs[index];
    return found ? [{ ...found, sign: mirrored.get(index) ?? found.sign }] : [];
  });
};
