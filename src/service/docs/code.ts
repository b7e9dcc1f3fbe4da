// Code on the page: JSON with syntax highlighting, and calls for a terminal.
import { type Html, html } from '../../platform/html.ts';

/**
 * A titled panel of code. It can be scrolled by keyboard, so it is focusable and needs a unique name: `of` says what it
 * belongs to.
 */
export const panel = (title: string, content: Html | string, of?: string): Html =>
  html`<figure class="panel"><figcaption>${title}</figcaption><pre tabindex="0" role="region" aria-label="${of === undefined ? title : `${title}: ${of}`}"><code>${content}</code></pre></figure>`;

const token = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d+(?:\.\d+)?|true|false|null)/g;

/** A value as JSON. */
export const jsonCode = (value: unknown): Html => {
  const text = JSON.stringify(value, null, 2);
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const { 0: all, 1: string, 2: colon, 3: literal, index } of text.matchAll(token)) {
    parts.push(text.slice(end, index));
    end = index + all.length;
    if (string === undefined) parts.push(html`<i class="literal">${literal}</i>`);
    else parts.push(colon === undefined ? html`<i class="string">${string}</i>` : html`<i class="key">${string}</i>${colon}`);
  }
  return html`${parts}${text.slice(end)}`;
};

export interface CurlOptions {
  readonly method: string;
  readonly url: string;
  readonly headers?: readonly string[];
  /** Sent in the query. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A call with curl. The key comes from the environment, so that no example invites readers to insert theirs. */
export const curl = ({ method, url, headers = [], query, body }: CurlOptions): Html => {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const lines = [
    `curl ${query ? '-G ' : method === 'POST' && body === undefined ? '-X POST ' : ''}${quoted(url)}`,
    '-H "Authorization: Bearer $SERVICE_SECRET_KEY"',
    ...headers.map((header) => `-H ${quoted(header)}`),
    ...Object.entries(query ?? {}).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ];
  return html`${lines.join(' \\\n  ')}`;
};
