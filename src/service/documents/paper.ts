// Paper to print on: A4 pages, as many as the text needs, in the embedded typeface, with a footer on each.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type EmbeddedFont, PDF, type PDFPage, rgb } from '@libpdf/core';
import { shipped } from '../../platform/assets.ts';
import { packageFolder } from '../package-folder.ts';
import { breakLines, type Run } from './lines.ts';

const paper = { width: 595.28, height: 841.89 };
export const margin = 68;
export const column = paper.width - 2 * margin;
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

/** Where and how text is printed; unset, from the left margin on over the whole column, and not quietly. */
export interface Placing {
  readonly x?: number;
  readonly width?: number;
  readonly quiet?: boolean;
}

export interface Paper {
  readonly regular: EmbeddedFont;
  readonly bold: EmbeddedFont;
  readonly italic: EmbeddedFont;
  /** From margin to margin, in points. */
  readonly column: number;
  /** The page that is printed on now. */
  readonly page: PDFPage;
  /** How far down it one is, in points from its lower edge. */
  readonly y: number;
  /** Makes sure that a height is left, on a new page where it is not. Answers whether it is a new one. */
  need(height: number): boolean;
  /** Leaves a height empty; goes up again where it is negative. */
  skip(height: number): void;
  write(runs: readonly Run[], size: number, leading: number, placing?: Placing): void;
  print(text: string, font: EmbeddedFont, size: number, leading: number, placing?: Placing): void;
  /** Draws a thin line over the whole column. */
  rule(): void;
  /** Prints the foot of every page and gives the file, not sealed yet. */
  finish(reference: string, pageOf: (page: number, pages: number) => string): Promise<Uint8Array>;
}

const typeface = (style: string) => {
  const name = `NotoSerif_${style}.ttf`;
  return shipped(
    new URL(`assets/${name}`, packageFolder),
    () => new URL(`${style}/${name}`, pathToFileURL(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-serif/package.json'))),
  );
};

export const openPaper = async ({ title, language, author, at }: About): Promise<Paper> => {
  const pdf = PDF.create();
  const [regular, bold, italic] = await Promise.all(
    ['400Regular', '700Bold', '400Regular_Italic'].map(async (style) => pdf.embedFont(await readFile(typeface(style)))),
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
  const write: Paper['write'] = (runs, size, leading, { x = 0, width = column - x, quiet: quietly = false } = {}) => {
    for (const line of breakLines(runs, size, width)) {
      need(leading);
      place.y -= leading;
      for (const { text, font, x: inLine } of line) {
        place.page.drawText(text, { x: margin + x + inLine, y: place.y, font, size, color: quietly ? quiet : ink });
      }
    }
  };
  return {
    regular,
    bold,
    italic,
    column,
    get page() {
      return place.page;
    },
    get y() {
      return place.y;
    },
    need,
    skip: (height) => {
      place.y -= height;
    },
    write,
    print: (text, font, size, leading, placing) => write([{ text, font }], size, leading, placing),
    rule: () => {
      place.y -= 3;
      const { page, y } = place;
      page.drawLine({ start: { x: margin, y }, end: { x: margin + column, y }, thickness: 0.5, color: faint });
    },
    finish: (reference, pageOf) => {
      for (const [index, page] of pages.entries()) {
        const text = pageOf(index + 1, pages.length);
        page.drawText(reference, { x: margin, y: 44, font: regular, size: 8.5, color: quiet });
        page.drawText(text, { x: paper.width - margin - regular.getTextWidth(text, 8.5), y: 44, font: regular, size: 8.5, color: quiet });
      }
      return pdf.save({ subsetFonts: true });
    },
  };
};
