// The page: the choices, the cards as their channel shows them, and the JSON of the chosen one.
import type { CardKind, Texts } from '../../cards/index.ts';
import type { ChannelProfile } from '../platform/channels.ts';
import type { Answer } from '../platform/http/http-server.ts';
import { sharedStyles } from '../platform/pages/assets.ts';
import type { Look } from '../platform/pages/look.ts';
import { answerPage, newNonce } from '../platform/pages/page.ts';
import { html } from '../platform/text/html.ts';

/** A card, as its channel gets it. */
export interface Entry {
  readonly name: string;
  readonly kind: CardKind;
  readonly activity: { readonly attachments?: readonly { readonly content?: unknown }[]; readonly text?: string; readonly speak?: string };
}

type AssetName =
  | (typeof sharedStyles)[number]
  | 'card-library.js'
  | 'cards.css'
  | 'gallery.css'
  | 'gallery.js'
  | 'looks.js'
  | 'teams-look.js'
  | 'webchat.js';

export interface GalleryPage {
  readonly assets: Readonly<Record<AssetName, string>>;
  readonly look: Look;
  readonly selects: Readonly<Record<string, readonly string[]>>;
  readonly choice: Readonly<Record<string, string>>;
  readonly channel: ChannelProfile;
  readonly t: Texts;
  readonly entries: readonly Entry[];
}

/** The library that draws the cards. */
const rendererOf = ({ cards, universalActions }: ChannelProfile) => (cards ? (universalActions ? 'teams' : 'web-chat') : 'text');

const remarks = {
  'web-chat': 'Drawn by Web Chat itself, in the style of the chat page.',
  teams: 'Drawn by the Adaptive Cards library with Teams’ host config. Microsoft’s own client is tried in test/teams.',
  text: 'This channel shows no cards. This text is sent instead.',
} as const;

/** The card, or the whole message if there is no card. */
const payloadOf = ({ activity }: Entry): unknown => activity.attachments?.[0]?.content ?? activity;

const select = (name: string, options: readonly string[], chosen: string | undefined) =>
  html`<label>${name} <select name="${name}">${options.map((one) => html`<option${one === chosen && html` selected`}>${one}</option>`)}</select></label>`;

const words = ({ activity: { text, speak } }: Entry) =>
  html`<p class="words">${text}</p>${speak !== undefined && html`<p class="words spoken">${speak}</p>`}`;

export const galleryPage = ({ assets, look, selects, choice, channel, t, entries }: GalleryPage): Answer => {
  const nonce = newNonce();
  const renderer = rendererOf(channel);
  const library = { 'web-chat': assets['webchat.js'], teams: assets['card-library.js'], text: undefined }[renderer];
  return answerPage({
    nonce,
    language: 'en',
    title: 'Cards · Countersign',
    scheme: choice.theme,
    allowed: { forms: true, webChat: true },
    styles: [...sharedStyles, 'cards.css' as const, 'gallery.css' as const].map((name) => assets[name]),
    style: look.style,
    imports: { looks: assets['looks.js'], 'teams-look': assets['teams-look.js'] },
    head: library !== undefined && html`<script src="${library}" nonce="${nonce}" defer></script>`,
    scripts: [assets['gallery.js']],
    body: html`<body data-renderer="${renderer}" data-theme="${choice.theme}" data-width="${choice.width}" data-locale="${t.locale}" data-payloads="${JSON.stringify(entries.map(payloadOf))}">
<header>
<h1>Cards</h1>
<form action="/cards">${Object.entries(selects).map(([name, options]) => select(name, options, choice[name]))} <button>Show</button></form>
</header>
<nav aria-label="Cards">
<p class="quiet">${remarks[renderer]}</p>
<ol>${entries.map(({ name }, index) => html`<li><a href="#card-${index}">${name}</a></li>`)}</ol>
</nav>
<main aria-label="As the channel shows it">
<div id="stage" lang="${t.locale}" dir="${t.direction}">${entries.map(
      (entry, index) =>
        html`<section id="card-${index}" data-kind="${entry.kind}" data-name="${entry.name}" aria-label="${entry.name}">${renderer === 'text' && words(entry)}</section>`,
    )}</div>
${renderer === 'web-chat' && html`<div id="webchat" lang="${t.locale}"></div>`}
</main>
<aside aria-label="JSON of the card">
<h2 id="chosen">&nbsp;</h2>
<p class="buttons"><button type="button" id="copy">Copy</button> <a id="open" class="button" href="https://adaptivecards.io/designer/" target="_blank" rel="noopener noreferrer">Copy, and open the designer</a></p>
<p class="quiet">The designer cannot open a card by its address: paste it there under Card Payload Editor. <span id="copied" role="status"></span></p>
<pre id="payload" tabindex="0"></pre>
</aside>
</body>`,
  });
};
