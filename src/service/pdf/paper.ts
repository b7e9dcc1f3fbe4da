// Paper to print on: A4 pages, as many as the text needs, in the embedded typeface, with a footer on each.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Color, type EmbeddedFont, PDF, type PDFPage, rgb } from '@libpdf/core';
import { shipped } from '../../platform/pages/assets.ts';
import { directionOf } from '../../platform/text/direction.ts';
import { packageFolder } from '../package-folder.ts';
import { breakLines, type Run, visually } from './lines.ts';
import { joined, piecesOf, type Script } from './scripts.ts';

const paper = { width: 595.28, height: 841.89 };
const margin = 68;
const column = paper.width - 2 * margin;
const floor = 84;
const ink = rgb(0.09, 0.13, 0.17);
export const quiet = rgb(0.34, 0.4, 0.45);
const faint = rgb(0.78, 0.81, 0.83);

/** What a file says of itself. */
export interface About {
  readonly title: string;
  /** A language tag. */
  readonly language: string;
  readonly author: string;
  readonly at: number;
}

/** Where and how text is printed; unset, from the first margin on over the whole column, and not quietly. */
export interface Placing {
  /** From the margin where lines begin: the right one in a language that is written from there. */
  readonly x?: number;
  readonly width?: number;
  readonly quiet?: boolean;
}

export type Paper = Awaited<ReturnType<typeof openPaper>>;

const { resolve } = createRequire(import.meta.url);
/** The file of a typeface: in what is shipped, or in the package that it comes from. */
const typeface = (family: string, style: string, manifest: () => string) =>
  shipped(
    new URL(`assets/${family}_${style}.ttf`, packageFolder),
    () => new URL(`${style}/${family}_${style}.ttf`, pathToFileURL(manifest())),
  );
const usual = (style: string) => typeface('NotoSerif', style, () => resolve('@expo-google-fonts/noto-serif/package.json'));
const naskh = (style: string) => typeface('NotoNaskhArabic', style, () => resolve('@expo-google-fonts/noto-naskh-arabic/package.json'));
const gothic = (style: string) => typeface('NotoSansJP', style, () => resolve('@expo-google-fonts/noto-sans-jp/package.json'));

/** The typefaces of other scripts. Japanese has one weight, since a second would cost 5 MB. */
const others = {
  arabic: { regular: () => naskh('400Regular'), bold: () => naskh('700Bold') },
  japanese: { regular: () => gothic('400Regular'), bold: () => gothic('400Regular') },
} satisfies Record<Exclude<Script, 'usual'>, object>;

export const openPaper = async ({ title, language, author, at }: About) => {
  const pdf = PDF.create();
  const [regular, bold, italic] = await Promise.all(
    ['400Regular', '700Bold', '400Regular_Italic'].map(async (style) => pdf.embedFont(await readFile(usual(style)))),
  );
  if (!regular || !bold || !italic) throw new TypeError('three styles were asked for');
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setLanguage(language);
  pdf.setMetadata({ author, producer: 'Countersign', creationDate: new Date(at), modificationDate: new Date(at) });

  const pages: PDFPage[] = [];
  const turn = () => {
    const next = pdf.addPage(paper);
    pages.push(next);
    return { page: next, y: paper.height - margin };
  };
  let place = turn();
  const need = (height: number) => {
    const turned = place.y - height < floor;
    if (turned) place = turn();
    return turned;
  };
  const direction = directionOf(language);
  /** Read when the first text needs them: most documents are in the usual script. */
  const opened = new Map<string, EmbeddedFont>();
  const fontFor = (script: Script, font: EmbeddedFont): EmbeddedFont => {
    if (script === 'usual') return font;
    const file = others[script][font === bold ? 'bold' : 'regular']();
    const known = opened.get(file.href) ?? pdf.embedFont(readFileSync(file));
    opened.set(file.href, known);
    return known;
  };
  /** Runs that can be printed: of one script each, in the typeface for it. */
  const ready = (runs: readonly Run[]): Run[] =>
    runs.flatMap(({ text, font }) => piecesOf(joined(text)).map((piece) => ({ text: piece.text, font: fontFor(piece.script, font) })));
  const startOf = (width: number) => (direction === 'rtl' ? margin + column - width : margin);
  const drawLine = (page: PDFPage, runs: readonly Run[], size: number, at: { x: number; y: number; width: number; color: Color }) => {
    for (const { text, font, x } of visually(runs, size, at.width, direction))
      page.drawText(text, { x: at.x + x, y: at.y, font, size, color: at.color });
  };
  const write = (
    runs: readonly Run[],
    size: number,
    leading: number,
    { x = 0, width = column - x, quiet: quietly = false }: Placing = {},
  ): void => {
    const from = direction === 'rtl' ? margin + column - x - width : margin + x;
    for (const line of breakLines(ready(runs), size, width)) {
      need(leading);
      place.y -= leading;
      drawLine(place.page, line, size, { x: from, y: place.y, width, color: quietly ? quiet : ink });
    }
  };
  return {
    regular,
    bold,
    italic,
    /** From margin to margin, in points. */
    column,
    /** The page that is printed on now. */
    get page() {
      return place.page;
    },
    /** How far down it one is, in points from its lower edge. */
    get y() {
      return place.y;
    },
    /** Makes sure that a height is left, on a new page where it is not. Answers whether it is a new one. */
    need,
    /** How many lines a text takes. */
    linesOf: (text: string, font: EmbeddedFont, size: number, width: number): number =>
      breakLines(ready([{ text, font }]), size, width).length,
    /** Where something of this width begins that stands at the first margin, in points from the left edge. */
    startOf,
    /** Draws one line of text at the first margin of this page, in a colour, no wider than the column. */
    draw: (text: string, font: EmbeddedFont, size: number, y: number, color: Color): void => {
      const runs = ready([{ text, font }]);
      const wide = runs.reduce((sum, run) => sum + run.font.getTextWidth(run.text, size), 0);
      drawLine(place.page, runs, Math.min(size, (size * column) / wide), { x: margin, y, width: column, color });
    },
    /** Leaves a height empty; goes up again where it is negative. */
    skip: (height: number): void => {
      place.y -= height;
    },
    write,
    print: (text: string, font: EmbeddedFont, size: number, leading: number, placing?: Placing): void =>
      write([{ text, font }], size, leading, placing),
    /** Draws a thin line over the whole column. */
    rule: (): void => {
      place.y -= 3;
      const { page, y } = place;
      page.drawLine({ start: { x: margin, y }, end: { x: margin + column, y }, thickness: 0.5, color: faint });
    },
    /** Prints the foot of every page and gives the file, not sealed yet. */
    finish: (reference: string, pageOf: (page: number, pages: number) => string): Promise<Uint8Array> => {
      for (const [index, page] of pages.entries()) {
        const foot = { x: margin, y: 44, width: column, color: quiet };
        const number = ready([{ text: pageOf(index + 1, pages.length), font: regular }]);
        const wide = number.reduce((sum, { text, font }) => sum + font.getTextWidth(text, 8.5), 0);
        drawLine(page, ready([{ text: reference, font: regular }]), 8.5, foot);
        // At the other margin.
        drawLine(page, number, 8.5, { ...foot, x: direction === 'rtl' ? margin : margin + column - wide, width: wide });
      }
      return pdf.save({ subsetFonts: true });
    },
  };
};
