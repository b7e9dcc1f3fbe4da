// Short texts as markup: what stands between backticks is code.
import { type Html, html } from '../../platform/html.ts';

/** One paragraph's content. */
export const prose = (text: string): Html =>
  html`${text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))}`;

/** Paragraphs, which blank lines set apart. */
export const paragraphs = (text: string): Html => html`${text.split(/\n\n+/).map((one) => html`<p>${prose(one)}</p>`)}`;
