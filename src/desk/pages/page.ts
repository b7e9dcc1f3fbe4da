// The desk's pages: the document that the scripts run in, and the small pages around signing in.
import { randomBytes } from 'node:crypto';
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import type { Look } from '../../platform/pages/look.ts';
import { inLanguage } from '../../platform/text/direction.ts';
import { Html, html } from '../../platform/text/html.ts';
import { cannedAnswers, type DeskTexts, deskLanguage, deskTexts } from './texts.ts';

/** The page's own modules and the libraries, by the names under which they are imported. */
export const modules = [
  'chart',
  'desk-acts',
  'desk-app',
  'desk-composer',
  'desk-conversation',
  'desk-dialogs',
  'desk-framed',
  'desk-heard',
  'desk-kept',
  'desk-overview',
  'desk-panel',
  'desk-parts',
  'desk-queue',
  'desk-said',
  'desk-socket',
  'desk-start',
  'desk-state',
  'desk-words',
  'htm',
  'preact',
  'preact/hooks',
] as const;
/** The modules in which a page's scripts start. */
export const entries = ['desk.js', 'desk-panel-page.js', 'desk-door.js', 'desk-enter.js'] as const;
type Module = (typeof modules)[number];

/** In cascade order: later ones may override earlier ones. */
export const styles = [
  'desk-colours.css',
  'desk.css',
  'desk-queue.css',
  'desk-talk.css',
  'desk-composer.css',
  'desk-sizes.css',
  'desk-controls.css',
  'desk-panel.css',
  'desk-dialogs.css',
  'desk-overview.css',
  'desk-bare.css',
] as const;

/** The file of a module. */
export const fileOf = <Name extends Module>(name: Name) => `${name.replace('/', '-')}.js`;

export interface PageParts {
  readonly assets: Readonly<Record<string, string>>;
  readonly look: Look;
  readonly publicUrl: string | undefined;
}

export interface Pages {
  /** The desk. */
  desk(call: HttpRequest): Answer;
  /** The panel beside a platform's conversation, which only that platform may frame. */
  framed(call: HttpRequest, frame: Framed): Answer;
  /** Hands a code to the frame that opened this window, and closes the window. */
  handing(call: HttpRequest, code: string, headers: Readonly<Record<string, string>>): Answer;
  /** A page with a heading, a sentence, and a link or button. */
  bare(call: Pick<HttpRequest, 'headers'>, status: number, what: BareTexts, more?: BareParts): Answer;
  textsFor(call: Pick<HttpRequest, 'headers'>): DeskTexts;
}

export interface Framed {
  /** The origin of the platform. */
  readonly by: string;
  /** Its path, below the desk's address. */
  readonly path: string;
  readonly signedIn: boolean;
}

export interface BareTexts {
  readonly title: keyof DeskTexts;
  readonly text: keyof DeskTexts;
}

export interface BareParts {
  readonly body?: Html | undefined;
  readonly head?: Html | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

const ownName = 'Countersign';

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b5d57" d="M16 2.5 27 6.4v8.9c0 6.9-4.6 11.7-11 14.2C9.6 27 5 22.2 5 15.3V6.4Z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10 16.3 4.3 4.2L22.5 11"/></svg>',
  );

/** Older Safari does not count a websocket of the same host as `'self'`, so it is named. */
const policy = (nonce: string, hosts: readonly (string | undefined)[], framedBy = "'none'") =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    [
      "connect-src 'self'",
      ...hosts.filter((host) => host !== undefined && /^[\w.-]+(:\d+)?$/.test(host)).flatMap((host) => [`ws://${host}`, `wss://${host}`]),
    ].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join('; ');

export const makePages = ({ assets, look, publicUrl }: PageParts): Pages => {
  // A script's text is not escaped; these are paths made here, of letters, digits, dots, hyphens and slashes.
  const importMap = new Html(JSON.stringify({ imports: Object.fromEntries(modules.map((name) => [name, assets[fileOf(name)]])) }));

  const answer = (
    { headers: asked }: Pick<HttpRequest, 'headers'>,
    status: number,
    page: (language: keyof typeof deskTexts, nonce: string) => { readonly head: Html; readonly body: Html },
    headers: Readonly<Record<string, string>> = {},
    framedBy?: string,
  ): Answer => {
    const nonce = randomBytes(16).toString('base64');
    const language = deskLanguage(asked['accept-language']);
    const { head, body } = page(language, nonce);
    return {
      status,
      headers: {
        'Content-Security-Policy': policy(nonce, [asked.host, publicUrl && new URL(publicUrl).host], framedBy),
        'Content-Language': language,
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
        'Cross-Origin-Opener-Policy': 'same-origin',
        Vary: 'Accept-Language',
        ...headers,
      },
      body: html`<html ${inLanguage(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}">
${styles.map((style) => html`<link rel="stylesheet" href="${assets[style]}" nonce="${nonce}">`)}
${look.style && html`<style nonce="${nonce}">${look.style}</style>`}
${head}
</head>
${body}
</html>`,
    };
  };

  const scripts = (language: keyof typeof deskTexts, nonce: string, entry: string) =>
    html`<title>${deskTexts[language].title} · ${look.name ?? ownName}</title>
<script type="importmap" nonce="${nonce}">${importMap}</script>
<script src="${assets[entry]}" nonce="${nonce}" type="module"></script>`;

  return {
    textsFor: ({ headers }) => deskTexts[deskLanguage(headers['accept-language'])],

    framed: (call, { by, path, signedIn }) =>
      answer(
        call,
        signedIn ? 200 : 401,
        (language, nonce) => ({
          head: scripts(language, nonce, signedIn ? 'desk-panel-page.js' : 'desk-door.js'),
          body: html`<body class="framed" data-texts="${JSON.stringify(deskTexts[language])}" data-name="${look.name ?? ownName}" data-frame="${by}" data-page="${path}" data-socket="${path}/socket"><div id="desk"></div></body>`,
        }),
        {},
        by,
      ),

    handing: (call, code, headers) =>
      answer(
        call,
        200,
        (language, nonce) => ({
          head: scripts(language, nonce, 'desk-enter.js'),
          body: html`<body class="bare" data-code="${code}"><main><h1>${deskTexts[language].onwardTitle}</h1></main></body>`,
        }),
        headers,
      ),

    desk: (call) =>
      answer(call, 200, (language, nonce) => ({
        head: scripts(language, nonce, 'desk.js'),
        body: html`<body data-texts="${JSON.stringify(deskTexts[language])}" data-canned="${JSON.stringify(cannedAnswers)}" data-name="${look.name ?? ownName}">
<div id="desk"><p class="notice" role="status">${deskTexts[language].connecting}</p></div>
<noscript><p class="notice">${deskTexts[language].unsupported}</p></noscript>
</body>`,
      })),

    bare: (call, status, { text, title }, { body, head, headers } = {}) =>
      answer(
        call,
        status,
        (language) => ({
          head: html`<title>${deskTexts[language][title]}</title>${head}`,
          body: html`<body class="bare"><main><p class="brand">${look.name ?? ownName}</p><h1>${deskTexts[language][title]}</h1><p>${deskTexts[language][text]}</p>${body}</main></body>`,
        }),
        headers,
      ),
  };
};
