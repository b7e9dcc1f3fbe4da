// The field for drawing a signature. Without scripts it stays hidden, and the typed name is the signature.

import type { FieldError } from '../../platform/http/http-problem.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { controlId, errorText } from '../core/pages/fields.ts';
import type { Texts } from '../core/texts.ts';

/** A field that posts the drawing (documents/drawn.ts), or nothing if nothing was drawn. */
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
