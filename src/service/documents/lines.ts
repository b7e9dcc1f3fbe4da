// Breaking paragraphs of mixed type into lines.
import type { EmbeddedFont } from '@libpdf/core';

/** Text in one type. */
export interface Run {
  readonly text: string;
  readonly font: EmbeddedFont;
}

/** A run in its place on a line, in points from the line's beginning. */
export interface PlacedRun extends Run {
  readonly x: number;
}

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

/**
 * Words with the space after them. The typeface may change within a word; non-breaking spaces are part of their word.
 */
const wordsOf = (runs: readonly Run[]): Run[][] => {
  const words: Run[][] = [];
  let ended = true;
  for (const { text, font } of runs) {
    for (const piece of text.match(/[^ ]+ ?| /g) ?? []) {
      if (ended) words.push([]);
      words.at(-1)?.push({ text: piece, font });
      ended = piece.endsWith(' ');
    }
  }
  return words;
};
