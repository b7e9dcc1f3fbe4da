// Breaking paragraphs of mixed type into lines.
import type { EmbeddedFont } from '@libpdf/core';
import { fromLeft } from './scripts.ts';

/** Text in one type. */
export interface Run {
  readonly text: string;
  readonly font: EmbeddedFont;
}

/** A run in its place on a line, in points from the line's beginning. */
type PlacedRun = Run & { readonly x: number };

/**
 * The lines of a paragraph, none wider than `width` points. Words that are wider than a line are broken where it ends.
 */
export const breakLines = (runs: readonly Run[], size: number, width: number): PlacedRun[][] => {
  const lines: PlacedRun[][] = [[]];
  let x = 0;
  const put = (text: string, font: EmbeddedFont) => {
    lines.at(-1)?.push({ text, font, x });
    x += font.getTextWidth(text, size);
  };
  const feed = () => {
    lines.push([]);
    x = 0;
  };
  for (const word of wordsOf(runs)) {
    const wide = word.reduce((sum, { text, font }) => sum + font.getTextWidth(text.trimEnd(), size), 0);
    if (x > 0 && x + wide > width) feed();
    for (const { text, font } of word) {
      for (const piece of wide > width ? text : [text]) {
        if (x > 0 && x + font.getTextWidth(piece.trimEnd(), size) > width) feed();
        put(piece, font);
      }
    }
  }
  return lines;
};

/** The runs of a line in their places from the left, at the side of a width where lines of this direction begin. */
export const visually = (line: readonly Run[], size: number, width: number, direction: 'ltr' | 'rtl'): PlacedRun[] => {
  const signs = line.flatMap(({ text, font }) => [...text].map((sign) => ({ sign, of: font })));
  while (signs.at(-1)?.sign === ' ') signs.pop();
  const runs: { text: string; font: EmbeddedFont }[] = [];
  for (const { sign, of: font } of fromLeft(signs, direction)) {
    const last = runs.at(-1);
    if (last?.font === font) last.text += sign;
    else runs.push({ text: sign, font });
  }
  const wide = runs.reduce((sum, { text, font }) => sum + font.getTextWidth(text, size), 0);
  let x = direction === 'rtl' ? width - wide : 0;
  return runs.map((run) => {
    const placed = { ...run, x };
    x += run.font.getTextWidth(run.text, size);
    return placed;
  });
};

/** What a line of Japanese may end behind: each sign, with the marks that no line begins with. */
const unspaced = /[\u3040-\u30ff\u4e00-\u9fff][、。，．」』）】！？ー…]*/;
const pieces = new RegExp(`${unspaced.source} ?|[^ \\u3040-\\u30ff\\u4e00-\\u9fff]+ ?| `, 'g');

/**
 * Words with the space after them. The typeface may change within a word; non-breaking spaces are part of their word.
 */
const wordsOf = (runs: readonly Run[]): Run[][] => {
  const words: Run[][] = [];
  let ended = true;
  for (const { text, font } of runs) {
    for (const piece of text.match(pieces) ?? []) {
      const breaks = unspaced.test(piece);
      if (ended || breaks) words.push([]);
      words.at(-1)?.push({ text: piece, font });
      ended = breaks || piece.endsWith(' ');
    }
  }
  return words;
};
