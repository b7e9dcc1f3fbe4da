// A signed document on paper: A4 pages with the text as it was shown, the signature under it, and what proves the two belong together.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type EmbeddedFont, PDF, type PDFPage, rgb } from '@libpdf/core';
import { shipped } from '../../platform/assets.ts';
import type { DocumentContent } from './content.ts';
import type { Drawn } from './drawn.ts';
import { breakLines, type Run } from './lines.ts';

/** What is printed, all of it in words that are ready to be read. */
export interface Sheet {
  readonly content: DocumentContent;
  /** Whose document it is. */
  readonly account: string;
  readonly signatureHeading: string;
  /** The signer's name; drawn in place of a signature where there is none. */
  readonly name: string;
  readonly drawn: Drawn | undefined;
  /** When it was signed, what was agreed to, and what names the request and the text. */
  readonly evidence: readonly string[];
  /** What names the document at the foot of every page. */
  readonly reference: string;
  readonly pageOf: (page: number, pages: number) => string;
  readonly at: number;
}

const paper = { width: 595.28, height: 841.89 };
const margin = 68;
const column = paper.width - 2 * margin;
const floor = 84;
const ink = rgb(0.09, 0.13, 0.17);
const quiet = rgb(0.34, 0.4, 0.45);
const pen = rgb(0.07, 0.16, 0.42);
const signatureBox = { width: 230, height: 76 };

const typeface = (style: string) => {
  const name = `NotoSerif_${style}.ttf`;
  return shipped(
    new URL(`../assets/${name}`, import.meta.url),
    () => new URL(`${style}/${name}`, pathToFileURL(createRequire(import.meta.url).resolve('@expo-google-fonts/noto-serif/package.json'))),
  );
};

/** The file, not sealed yet. */
export const typeset = async (sheet: Sheet): Promise<Uint8Array> => {
  const pdf = PDF.create();
  const [regular, bold, italic] = await Promise.all(
    ['400Regular', '700Bold', '400Regular_Italic'].map(async (style) => pdf.embedFont(await readFile(typeface(style)))),
  );
  if (!regular || !bold || !italic) throw new TypeError('three styles were asked for');
  const { content } = sheet;
  pdf.setTitle(content.title, { showInWindowTitleBar: true });
  pdf.setLanguage(content.language);
  pdf.setMetadata({
    author: sheet.account,
    producer: 'Countersign',
    creationDate: new Date(sheet.at),
    modificationDate: new Date(sheet.at),
  });

  const pages: PDFPage[] = [];
  let page = pdf.addPage(paper);
  pages.push(page);
  let y = paper.height - margin;
  const need = (height: number) => {
    if (y - height >= floor) return;
    page = pdf.addPage(paper);
    pages.push(page);
    y = paper.height - margin;
  };
  const write = (runs: readonly Run[], size: number, leading: number, color = ink) => {
    for (const line of breakLines(runs, size, column)) {
      need(leading);
      y -= leading;
      for (const { text, font, x } of line) page.drawText(text, { x: margin + x, y, font, size, color });
    }
  };
  const print = (text: string, font: EmbeddedFont, size: number, leading: number, color = ink) =>
    write([{ text, font }], size, leading, color);

  print(sheet.account, regular, 10, 14, quiet);
  y -= 10;
  print(content.title, bold, 20, 26);
  y -= 14;
  for (const parts of content.paragraphs) {
    write(
      parts.map(({ text, filled }) => ({ text, font: filled ? bold : regular })),
      11,
      17,
    );
    y -= 9;
  }

  // The signature never stands on a page apart from its name and what was agreed to.
  need(signatureBox.height + 60 + 14 * (sheet.evidence.length + 1));
  y -= 18;
  print(sheet.signatureHeading, bold, 11, 16);
  y -= signatureBox.height + 6;
  if (sheet.drawn) stroke(page, sheet.drawn, y);
  else signWithName(page, sheet.name, italic, y);
  page.drawLine({ start: { x: margin, y }, end: { x: margin + signatureBox.width, y }, thickness: 0.8, color: quiet });
  print(sheet.name, regular, 11, 18);
  y -= 6;
  for (const line of sheet.evidence) print(line, regular, 8.5, 13, quiet);

  for (const [index, sheetPage] of pages.entries()) {
    const text = sheet.pageOf(index + 1, pages.length);
    sheetPage.drawText(sheet.reference, { x: margin, y: 44, font: regular, size: 8.5, color: quiet });
    sheetPage.drawText(text, { x: paper.width - margin - regular.getTextWidth(text, 8.5), y: 44, font: regular, size: 8.5, color: quiet });
  }
  return pdf.save({ subsetFonts: true });
};

/** So many points a pixel of the page becomes at most: a small signature stays small. */
const largestScale = 0.75;

const rangeOf = (values: readonly number[]) =>
  [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), 0)] as const;

/** The strokes, put on the line and rounded between points. */
const stroke = (page: PDFPage, { strokes }: Drawn, floorY: number) => {
  const [left, right] = rangeOf(strokes.flat().map(({ x }) => x));
  const [top, bottom] = rangeOf(strokes.flat().map(({ y }) => y));
  const scale = Math.min((signatureBox.width - 16) / (right - left), (signatureBox.height - 8) / (bottom - top), largestScale);
  const placed = strokes.map((points) =>
    points.map(({ x, y }) => ({ x: margin + 8 + (x - left) * scale, y: floorY + 4 + (bottom - y) * scale })),
  );
  for (const [first, ...rest] of placed) {
    if (!first) continue;
    const path = page.drawPath().moveTo(first.x, first.y);
    let last = first;
    for (const next of rest) {
      path.quadraticCurveTo(last.x, last.y, (last.x + next.x) / 2, (last.y + next.y) / 2);
      last = next;
    }
    // A dot is a line that goes nowhere, which round ends make visible.
    path.lineTo(last.x + 0.01, last.y).stroke({ borderColor: pen, borderWidth: 1.5, lineCap: 'round', lineJoin: 'round' });
  }
};

const signWithName = (page: PDFPage, name: string, font: EmbeddedFont, floorY: number) => {
  const size = Math.min(30, (30 * column) / font.getTextWidth(name, 30));
  page.drawText(name, { x: margin, y: floorY + 14, font, size, color: pen });
};
