// Components used by several pages of the console.
import { type Html, html } from '../../platform/text/html.ts';
import type { Words } from './words.ts';

/** A heading, with what is shown beside it. */
export const head = (title: string, lead?: Html | string | false, beside?: Html | false): Html =>
  html`<header class="page-head"><div><h1>${title}</h1>${lead && html`<p class="lead">${lead}</p>`}</div>${beside}</header>`;

/** The state of a request, in the words and colours of the outbox. */
export const stateOf = (state: string, { named }: Words): Html => html`<span class="state ${state}">${named(`outbox.${state}`)}</span>`;

/** A notice that there is nothing to show, and why. */
export const nothing = (text: string): Html => html`<div class="empty"><span class="sign" aria-hidden="true"></span><p>${text}</p></div>`;

/** A column: its name, and what it shows of an item. */
export type Column<Item> = readonly [name: string, cell: (item: Item) => Html | string | false | undefined];

/** A table whose rows become cards on a phone; for that, every cell carries its column's name. */
export const table = <Item>(caption: string, columns: readonly Column<Item>[], items: readonly Item[]): Html =>
  html`<div class="sheet"><table class="rows"><caption class="unseen">${caption}</caption>
    <thead><tr>${columns.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${items.map(
      (item) =>
        html`<tr>${columns.map(([name, cell]) => html`<td data-label="${name}">${cell(item) || html`<span class="none">–</span>`}</td>`)}</tr>`,
    )}</tbody>
  </table></div>`;

/** Names and their values. */
export const facts = (entries: readonly (readonly [string, Html | string | false | undefined])[]): Html =>
  html`<dl class="facts">${entries.map(([name, value]) => value !== undefined && value !== false && value !== '' && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A section of a page with its own heading. */
export const panel = (title: string, body: Html, note?: Html | string): Html =>
  html`<section class="panel"><h2>${title}</h2>${note && html`<p class="quiet">${note}</p>`}${body}</section>`;

/** The link to a list's next page. */
export const nextPage = (address: string | undefined, label: string): Html | false =>
  address !== undefined && html`<p class="further"><a class="button" href="${address}">${label}</a></p>`;

/** An identifier for programs. */
export const code = (text: string): Html => html`<code>${text}</code>`;
