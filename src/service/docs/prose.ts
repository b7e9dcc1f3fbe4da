// Short texts as markup: text between backticks is code.
import { type Html, html } from '../../platform/html.ts';

/** The content of one paragraph. */
export const prose = (text: string): Html =>
  html`${text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))}`;

/** Paragraphs, separated by blank lines. */
export const paragraphs = (text: string): Html => html`${text.split(/\n\n+/).map((one) => html`<p>${prose(one)}</p>`)}`;
