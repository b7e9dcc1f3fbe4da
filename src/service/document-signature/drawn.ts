// A drawn signature as the page posts it: a bounded number of integers, and no picture that would have to be decoded.
import type { FieldError } from '../../platform/http/http-problem.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { controlId, errorText } from '../core/pages/fields.ts';
import type { Texts } from '../core/texts.ts';

/** A drawn signature: strokes of points, inside a box that begins at its upper left corner. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly strokes: readonly (readonly Point[])[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const longest = 24_000;
const form = /^\d{2,4}\.\d{2,4}(?:_\d{1,4}\.\d{1,4}(?:-\d{1,4}\.\d{1,4})*){1,200}$/;

/** How many of the page's pixels a signature spans at least; anything smaller is a slip of the finger. */
const smallest = 12;

/**
 * Reads `width.height_x.y-x.y_x.y…`: the size of the box, then its strokes, each a list of points. Undefined for
 * anything else, for points outside the box, and for what is too small to be a signature.
 */
export const readDrawn = (posted: string): Drawn | undefined => {
  if (posted.length > longest || !form.test(posted)) return undefined;
  const [size, ...strokes] = posted.split('_').map((stroke) => stroke.split('-').map(pointOf));
  const { x: width, y: height } = size?.[0] ?? { x: 0, y: 0 };
  const points = strokes.flat();
  if (!points.every(({ x, y }) => x <= width && y <= height)) return undefined;
  const [left, right] = rangeOf(points.map(({ x }) => x));
  const [top, bottom] = rangeOf(points.map(({ y }) => y));
  return Math.max(right - left, bottom - top) < smallest ? undefined : { width, height, strokes };
};

const pointOf = (text: string): Point => {
  const [x, y] = text.split('.').map(Number);
  return { x: x ?? 0, y: y ?? 0 };
};

/** The least and the greatest of some values. */
export const rangeOf = (values: readonly number[]) =>
  [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), 0)] as const;

/** A field that posts a drawing, or nothing if nothing was drawn. Without scripts it stays hidden, and the typed name is the signature. */
export const signaturePad = (
  { name, value }: { readonly name: string; readonly value: string | undefined },
  errors: readonly FieldError[],
  { t }: Texts,
): Html => html`<div class="field signing" id="${controlId(name)}" tabindex="-1" hidden>
    <p class="label" id="pad-label">${t('document-signature.drawn')} <small>(${t('page.optional')})</small></p>
    <div class="pad"><canvas id="pad" role="img" aria-labelledby="pad-label pad-hint"></canvas></div>
    <div class="pad-foot"><p id="pad-hint">${t('document-signature.drawnHint')}</p><button type="button" class="small" id="pad-clear">${t('document-signature.clear')}</button></div>
    <input type="hidden" name="${name}" value="${value ?? ''}">
    ${errorText(name, errors.find(({ path }) => path === name)?.message)}
  </div>`;
