// A signed document on paper: A4 pages with the text as shown, the signature under it, and the evidence that links the
// two.
import { type PDFPage, rgb } from '@libpdf/core';
import { openPaper, quiet } from '../pdf/paper.ts';
import type { DocumentContent } from './document-content.ts';
import { type Drawn, rangeOf } from './drawn.ts';

/** The printed texts, complete and formatted. */
export interface Sheet {
  readonly content: DocumentContent;
  /** The account's name. */
  readonly account: string;
  readonly signatureHeading: string;
  /** The signer's name; printed as the signature if none was drawn. */
  readonly name: string;
  readonly drawn: Drawn | undefined;
  /** The time of signing, the consent, and the ids of request and text. */
  readonly evidence: readonly string[];
  /** The footer of every page. */
  readonly reference: string;
  readonly pageOf: (page: number, pages: number) => string;
  readonly at: number;
}

const pen = rgb(0.07, 0.16, 0.42);
const signatureBox = { width: 230, height: 76 };

/** The file, not sealed yet. */
export const typeset = async (sheet: Sheet): Promise<Uint8Array> => {
  const { content } = sheet;
  const paper = await openPaper({ title: content.title, language: content.language, author: sheet.account, at: sheet.at });
  const { regular, bold, italic, print, skip, write } = paper;

  print(sheet.account, regular, 10, 14, { quiet: true });
  skip(10);
  print(content.title, bold, 20, 26);
  skip(14);
  for (const parts of content.paragraphs) {
    write(
      parts.map(({ text, filled }) => ({ text, font: filled ? bold : regular })),
      11,
      17,
    );
    skip(9);
  }

  // The signature never stands on a page apart from its name and what was agreed to.
  paper.need(signatureBox.height + 60 + 14 * (sheet.evidence.length + 1));
  skip(18);
  print(sheet.signatureHeading, bold, 11, 16);
  skip(signatureBox.height + 6);
  const { page, y } = paper;
  if (sheet.drawn) stroke(page, sheet.drawn, { x: paper.startOf(signatureBox.width), y });
  else paper.draw(sheet.name, italic, 30, y + 14, pen);
  const from = paper.startOf(signatureBox.width);
  page.drawLine({ start: { x: from, y }, end: { x: from + signatureBox.width, y }, thickness: 0.8, color: quiet });
  print(sheet.name, regular, 11, 18);
  skip(6);
  for (const line of sheet.evidence) print(line, regular, 8.5, 13, { quiet: true });
  return paper.finish(sheet.reference, sheet.pageOf);
};

/** So many points a pixel of the page becomes at most: a small signature stays small. */
const largestScale = 0.75;

/** The strokes, put on the line and rounded between points. */
const stroke = (page: PDFPage, { strokes }: Drawn, floor: { readonly x: number; readonly y: number }) => {
  const [left, right] = rangeOf(strokes.flat().map(({ x }) => x));
  const [top, bottom] = rangeOf(strokes.flat().map(({ y }) => y));
  const scale = Math.min((signatureBox.width - 16) / (right - left), (signatureBox.height - 8) / (bottom - top), largestScale);
  const placed = strokes.map((points) =>
    points.map(({ x, y }) => ({ x: floor.x + 8 + (x - left) * scale, y: floor.y + 4 + (bottom - y) * scale })),
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
