// The shell of every page, of the bot and of the service: its head, and the policy under which nothing else can load or
// run. What any page may load is decided in this file.
import { randomBytes } from 'node:crypto';
import type { Answer } from '../http/http-server.ts';
import { inLanguage } from '../text/direction.ts';
import { Html, html } from '../text/html.ts';

/** What a page may do besides showing this server's pictures and running the scripts in it. Unset: nothing. */
export interface Allowed {
  /** Send requests to this server, and to these further sources. */
  readonly connect?: readonly string[];
  /** Submit forms to this server. */
  readonly forms?: boolean;
  /** Show pages of this server in frames. */
  readonly frames?: boolean;
  /**
   * What Web Chat needs, and no more: its styles carry the nonce, except for an empty element that it adds before it
   * knows the nonce and fills through CSSOM; uploads and their thumbnails are blobs, and a worker made from a blob
   * shrinks pictures.
   */
  readonly webChat?: boolean;
  /** Who may show the page in a frame. */
  readonly framedBy?: string | undefined;
}

const hashOfEmptyStyle = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

/** @param own - the source of the page's own scripts and styles: its nonce, or `'self'` for a page without one */
export const contentSecurityPolicy = (own: string, { connect, forms, frames, webChat, framedBy = "'none'" }: Allowed): string =>
  [
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own}${webChat ? ` ${hashOfEmptyStyle}` : ''}`,
    `img-src 'self' data:${webChat ? ' blob:' : ''}`,
    ...(connect ? [["connect-src 'self'", ...(webChat ? ['blob:'] : []), ...connect].join(' ')] : []),
    ...(webChat ? ['worker-src blob:'] : []),
    ...(frames ? ["frame-src 'self'"] : []),
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    `frame-ancestors ${framedBy}`,
  ].join('; ');

/** The websockets of a host as sources: older Safari does not count those of the same host as `'self'`. */
export const socketsOf = (host: string | undefined): readonly string[] =>
  host !== undefined && /^[\w.-]+(:\d+)?$/.test(host) ? [`ws://${host}`, `wss://${host}`] : [];

/** A shield with a tick: the mark of the product. */
const shield =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b5d57" d="M16 2.5 27 6.4v8.9c0 6.9-4.6 11.7-11 14.2C9.6 27 5 22.2 5 15.3V6.4Z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10 16.3 4.3 4.2L22.5 11"/></svg>',
  );

/** The icon of pages that show somebody else's brand. */
export const noIcon = 'data:,';

export interface PageContent {
  readonly language: string;
  readonly title: string;
  /** The addresses of the style sheets, in cascade order. */
  readonly styles: readonly string[];
  /** Colours of a theme, after the style sheets. */
  readonly style?: Html | undefined;
  /** The addresses of modules by the names under which scripts import them. */
  readonly imports?: Readonly<Record<string, string>>;
  /** The addresses of the modules that the page runs, in this order. */
  readonly scripts?: readonly string[];
  /** Further elements of the head, before the scripts. */
  readonly head?: Html | false | undefined;
  /** The `<body>` element. */
  readonly body: Html;
  readonly icon?: string;
  readonly viewport?: string;
  readonly scheme?: string | undefined;
  /** Whether search engines may list the page. */
  readonly listed?: boolean;
}

/** A document. Scripts and styles carry the nonce, if there is one. */
export const pageDocument = (
  {
    language,
    title,
    styles,
    style,
    imports,
    scripts = [],
    head,
    body,
    icon = shield,
    viewport = 'width=device-width, initial-scale=1',
    scheme = 'light dark',
    listed = false,
  }: PageContent,
  nonce?: string,
): Html => {
  const own = nonce === undefined ? '' : html` nonce="${nonce}"`;
  return html`<html ${inLanguage(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="${viewport}">
<meta name="color-scheme" content="${scheme}">
${!listed && html`<meta name="robots" content="noindex">`}
<title>${title}</title>
<link rel="icon" href="${icon}">
${styles.map((address) => html`<link rel="stylesheet" href="${address}"${own}>`)}
${style && html`<style${own}>${style}</style>`}
${imports && html`<script type="importmap"${own}>${importMapOf(imports)}</script>`}
${head}
${scripts.map((address) => html`<script type="module" src="${address}"${own}></script>`)}
</head>
${body}
</html>`;
};

// A script's text is not escaped; these are names and paths made here, of letters, digits, dots, hyphens and slashes.
const importMapOf = (imports: Readonly<Record<string, string>>) => new Html(JSON.stringify({ imports }));

export const newNonce = (): string => randomBytes(16).toString('base64');

export interface PageAnswer extends PageContent {
  readonly status?: number;
  readonly allowed?: Allowed;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** For pages whose own head or body has elements that carry it. */
  readonly nonce?: string;
}

/** A page as an answer, with its policy. */
export const answerPage = ({ status = 200, allowed = {}, headers, nonce = newNonce(), ...parts }: PageAnswer): Answer => ({
  status,
  headers: {
    'Content-Security-Policy': contentSecurityPolicy(`'nonce-${nonce}'`, allowed),
    'Content-Language': parts.language,
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    Vary: 'Accept-Language',
    ...(allowed.framedBy === undefined && { 'X-Frame-Options': 'DENY' }),
    ...headers,
  },
  body: pageDocument(parts, nonce),
});
