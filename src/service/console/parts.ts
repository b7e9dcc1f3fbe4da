// Pieces that several pages of the console are made of.
import { type Html, html } from '../../platform/html.ts';
import type { Words } from './words.ts';

/** A heading with what belongs beside it. */
export const head = (title: string, lead?: Html | string | false, beside?: Html | false): Html =>
  html`<header class="page-head"><div><h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>${beside}</header>`;

/** Where a request stands, in the words and colours of the outbox. */
export const stateOf = (state: string, { named }: Words): Html => html`<span class="state ${state}">${named(`outbox.${state}`)}</span>`;

/** Nothing to show, and why. */
export const nothing = (text: string): Html => html`<div class="empty"><span class="sign" aria-hidden="true"></span><p>${text}</p></div>`;

/** A table whose rows become cards on a phone; every cell carries its column's name for that. */
export const table = (
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string | false | undefined)[])[],
): Html =>
  html`<div class="sheet"><table class="rows"><caption class="unseen">${caption}</caption>
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (cells) =>
        html`<tr>${cells.map((cell, index) => html`<td data-label="${columns[index]}">${cell || html`<span class="none">–</span>`}</td>`)}</tr>`,
    )}</tbody>
  </table></div>`;

/** Names and what they stand for. */
export const facts = (entries: readonly (readonly [string, Html | string | false | undefined])[]): Html =>
  html`<dl class="facts">${entries.map(([name, value]) => value !== undefined && value !== false && value !== '' && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A part of a page with a heading of its own. */
export const panel = (title: string, body: Html, note?: Html | string): Html =>
  html`<section class="panel"><h2>${title}</h2>${note && html`<p class="quiet">${note}</p>`}${body}</section>`;

/** Where a list goes on. */
export const nextPage = (address: string | undefined, label: string): Html | false =>
  address !== undefined && html`<p class="further"><a class="button" href="${address}">${label}</a></p>`;

/** What identifies something to programs. */
export const code = (text: string): Html => html`<code>${text}</code>`;
