// The chat page: Web Chat under a small header, in the customer's language. No scripts but our own can run on it.
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import { isLoopbackHost } from '../../platform/outgoing/loopback.ts';
import { sharedStyles } from '../../platform/pages/assets.ts';
import type { Look } from '../../platform/pages/look.ts';
import { answerPage, newNonce, socketsOf } from '../../platform/pages/page.ts';
import { inLanguage } from '../../platform/text/direction.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { type Language, languages, negotiateLanguage } from '../../platform/text/languages.ts';
import type { ChatPageOptions } from '../options.ts';
import { nameOf, type PageTexts } from '../texts.ts';

/** In cascade order, after the shared ones. */
const pageStyles = ['controls.css', 'chat.css', 'cards.css'] as const;
/** The style of the print, which the saved file includes. */
const recordStyle = 'record.css';
export const chatStyles = [...pageStyles, recordStyle, 'about.css'] as const;
/** The page's script, and the modules that it imports by their names. */
const entry = 'chat.js';
const imported = [
  'announcer.js',
  'card-controls.js',
  'connection.js',
  'focus.js',
  'frame.js',
  'kept.js',
  'looks.js',
  'news.js',
  'record.js',
  'store.js',
  'top.js',
] as const;
export const chatModules = [entry, ...imported] as const;

type ChatPageFile = 'webchat.js' | (typeof chatModules)[number] | (typeof sharedStyles)[number] | (typeof chatStyles)[number];

/** Of our own streams: the public address, unless that is this machine's, which has several names. */
const streamSources = (host: string | undefined, publicUrl: string | undefined) => {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  const name = own === undefined || (isLoopbackHost(own) && isLoopbackHost(host)) ? host : own;
  return socketsOf(name);
};

/** The origins of another server's Direct Line and its streams. */
const elsewhere = (url: string) => {
  const { host, origin } = new URL(url);
  return [origin, `${origin.startsWith('https:') ? 'wss' : 'ws'}://${host}`];
};

/** The name of a chat without a theme. */
const ownName = 'Countersign';

/** A shield with a signature across it, drawn in the text's colour. */
const shield = html`<svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false"><path class="mark-shield" d="M16 2.5 27 6.4v8.9c0 6.9-4.6 11.7-11 14.2C9.6 27 5 22.2 5 15.3V6.4Z"/><path class="mark-stroke" d="m10 16.3 4.3 4.2L22.5 11"/></svg>`;

const plus = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false"><path d="M3.5 4.5h13v9h-7L6 16.5v-3H3.5Z M10 6.6v4.8 M7.6 9h4.8" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/></svg>`;

const dots = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false"><path d="M4 10h.01M10 10h.01M16 10h.01" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"/></svg>`;

const sheet = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false"><path d="M10 3v9m0 0 3.5-3.5M10 12 6.5 8.5M4 13.5V17h12v-3.5" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/></svg>`;

const bell = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false"><path d="M4 14.5c1.2-1 1.5-2.4 1.5-5a4.5 4.5 0 0 1 9 0c0 2.6.3 4 1.5 5Z M8.3 17h3.4" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round" stroke-linecap="round"/></svg>`;

const tick = html`<svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false"><path d="m4.5 10.5 3.6 3.6 7.4-8" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const cross = html`<svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true" focusable="false"><path d="m4.5 4.5 11 11m0-11-11 11" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/></svg>`;

/**
 * The operator's brand, as on device pages: the logo, which contains the name; else the name with its first letter;
 * else our own mark.
 */
const brand = ({ name, logo }: Look, trust: string) => {
  const called = name ?? ownName;
  const first = html`<span class="mark letter" aria-hidden="true">${[...called][0]}</span>`;
  return html`${logo ? '' : name === undefined ? shield : first}
<div class="name"><h1>${logo ? html`<img class="logo" src="${logo}" alt="${called}">` : called}</h1><p data-text="trust">${trust}</p></div>`;
};

const about = ['privacy', 'terms', 'support'] as const;

const footer = ({ links = {} }: Look, text: PageTexts) => {
  const items = about.flatMap((kind) => {
    const address = links[kind];
    return address ? [html`<a href="${address}" target="_blank" rel="noopener noreferrer" data-text="${kind}">${text[kind]}</a>`] : [];
  });
  return items.length > 0 && html`<footer><nav data-label="about" aria-label="${text.about}">${items}</nav></footer>`;
};

/** The theme's colours where the chat uses its own: the customer's bubbles, and the focus ring. */
const themed = (style: Html) => html`${style}:root{--own:var(--accent);--on-own:var(--on-accent)}`;

/**
 * Answers `GET /`.
 * @param framedBy - who else may frame it, beside the origins that embed it
 */
export const chatPage = (
  assets: Readonly<Record<ChatPageFile, string>>,
  texts: Readonly<Record<Language, PageTexts>>,
  look: Look,
  { fallbackLanguage = 'en', publicUrl, embedOrigins = [], directLineUrl }: ChatPageOptions,
  framedBy?: "'self'",
) => {
  const imports = Object.fromEntries(imported.map((file) => [file.replace('.js', ''), assets[file]]));
  return ({ headers, query }: HttpRequest): Answer => {
    const nonce = newNonce();
    const language = negotiateLanguage(query.get('language') ?? headers['accept-language'], fallbackLanguage);
    const embedding = embedOrigins.find((origin) => origin === query.get('embed'));
    const closes = embedding !== undefined && query.has('closes');
    const text = texts[language];
    const options = languages.map((offered) => html`<option value="${offered}" ${inLanguage(offered)}>${nameOf(offered)}</option>`);
    return answerPage({
      nonce,
      language,
      title: look.name ?? ownName,
      listed: true,
      viewport: 'width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content',
      allowed: {
        webChat: true,
        connect: directLineUrl === undefined ? streamSources(headers.host, publicUrl) : elsewhere(directLineUrl),
        framedBy: embedding ?? framedBy,
      },
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin-allow-popups' },
      styles: [...sharedStyles, ...pageStyles].map((style) => assets[style]),
      style: look.style && themed(look.style),
      imports,
      head: html`<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#11181b" media="(prefers-color-scheme: dark)">
<meta name="description" content="${text.description}">
<link rel="stylesheet" href="${assets[recordStyle]}" media="print" data-record nonce="${nonce}">
${chatModules.map((file) => html`<link rel="modulepreload" href="${assets[file]}" nonce="${nonce}">`)}
<script src="${assets['webchat.js']}" nonce="${nonce}" id="webchat-script" defer></script>`,
      body: html`<body data-language="${language}"${embedding !== undefined && html` data-embedding="${embedding}"`}${directLineUrl !== undefined && html` data-direct-line="${directLineUrl}"`} data-texts="${JSON.stringify(texts)}">
<a class="skip" href="#chat" data-text="skip">${text.skip}</a>
<header>
<div class="bar">
${brand(look, text.trust)}
<p id="verified" hidden>${tick}<span data-text="verified">${text.verified}</span></p>
<label class="language"><span class="hidden" data-text="language">${text.language}</span><select id="language" autocomplete="off">${options}</select></label>
<button type="button" id="options" class="quiet" data-label="options" aria-label="${text.options}" popovertarget="menu">${dots}</button>
<button type="button" class="quiet anew" data-label="newConversation" aria-label="${text.newConversation}">${plus}<span data-text="newConversation">${text.newConversation}</span></button>
${closes && html`<button type="button" id="close" class="quiet" data-label="embedClose" aria-label="${text.embedClose}">${cross}</button>`}
</div>
<div id="menu" popover>
<button type="button" class="anew">${plus}<span data-text="newConversation">${text.newConversation}</span></button>
<button type="button" id="notify" hidden>${bell}<span data-text="notify">${text.notify}</span></button>
<button type="button" id="save">${sheet}<span data-text="save">${text.save}</span></button>
</div>
</header>
<main id="chat" tabindex="-1" data-label="chat" aria-label="${text.chat}">
<noscript><p class="notice">${text.unsupported}</p></noscript>
<p id="line" role="status" hidden></p>
<div id="webchat" hidden></div>
<div id="outcomes" class="hidden" role="alert"></div>
<div id="changes" class="hidden" role="log"></div>
<div id="skeleton" aria-hidden="true"><i></i><i></i><i></i></div>
<p id="status" class="notice" role="status" data-text="connecting">${text.connecting}</p>
</main>
${footer(look, text)}
<dialog id="confirm" aria-labelledby="confirm-title" aria-describedby="confirm-text">
<form method="dialog">
<h2 id="confirm-title" data-text="newConversationTitle">${text.newConversationTitle}</h2>
<p id="confirm-text" data-text="newConversationText">${text.newConversationText}</p>
<div class="choices"><button value="cancel" class="quiet" data-text="cancel">${text.cancel}</button><button value="confirm" class="primary" data-text="confirm">${text.confirm}</button></div>
</form>
</dialog>
<dialog id="saving" aria-labelledby="saving-title" aria-describedby="saving-text">
<form method="dialog">
<h2 id="saving-title" data-text="save">${text.save}</h2>
<p id="saving-text" data-text="saveText">${text.saveText}</p>
<p role="alert" data-text="saveFailed" hidden>${text.saveFailed}</p>
<div class="choices"><button value="cancel" class="quiet" data-text="back">${text.back}</button><button value="download" data-text="download">${text.download}</button><button value="print" class="primary" data-text="print">${text.print}</button></div>
</form>
</dialog>
<article id="record" class="record" aria-hidden="true"></article>
<script src="${assets[entry]}" nonce="${nonce}" type="module" async></script>
</body>`,
    });
  };
};
