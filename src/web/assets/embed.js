// The chat on another site's page: behind a button, or in an element of the page. The server adds what it knows of the
// chat before this script, as `settings`.

/** @type {HTMLScriptElement} */
const script = /** @type {any} */ (document.currentScript);
const { origin } = new URL(script.src);
const { inline, label, locale, position = 'right' } = script.dataset;
const asked = (locale ?? document.documentElement.lang ?? '').split('-', 1)[0].toLowerCase();
const language = asked in settings.texts ? asked : settings.fallbackLanguage;
const text = settings.texts[language];
const still = matchMedia('(prefers-reduced-motion: reduce)');

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`countersign:${name}`, { detail }));

// ---- the chat's own page ----

const address = new URL('/', origin);
address.searchParams.set('embed', location.origin);
address.searchParams.set('language', language);
if (!inline) address.searchParams.set('closes', '');

/** @type {HTMLIFrameElement | undefined} */
let frame;
const makeFrame = () => {
  const made = document.createElement('iframe');
  made.src = address.href;
  made.title = settings.name;
  // Sends only this site's origin: which page it is stays private.
  made.referrerPolicy = 'origin';
  return made;
};
/** The frame has another origin until the chat is there. */
let loaded = false;
const post = (message) => loaded && frame.contentWindow.postMessage({ countersign: message }, origin);

// ---- behind a button ----

const { accent = '#0b5d57', text: onAccent = '#ffffff' } = settings.colours?.light ?? {};
const { accent: darkAccent = accent, text: onDarkAccent = onAccent } = settings.colours?.dark ?? {};
const side = position === 'left' ? 'left' : 'right';
const style = `
:host { --accent: ${accent}; --on-accent: ${onAccent}; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :host { --accent: ${darkAccent}; --on-accent: ${onDarkAccent}; } }
button {
  position: fixed; z-index: 2147483000; bottom: max(20px, env(safe-area-inset-bottom)); ${side}: 20px;
  width: 60px; height: 60px; border: 2px solid transparent; border-radius: 50%; padding: 0; cursor: pointer;
  background: var(--accent); color: var(--on-accent); box-shadow: 0 2px 12px rgb(0 0 0 / 0.3);
}
button:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
button svg { width: 28px; height: 28px; }
b {
  position: absolute; top: -4px; ${side === 'left' ? 'right' : 'left'}: -4px; min-width: 22px; height: 22px; border-radius: 11px;
  padding: 0 5px; box-sizing: border-box; background: #b3261e; color: #fff; font: 600 13px/22px system-ui, sans-serif;
}
b[hidden] { display: none; }
.chat {
  position: fixed; z-index: 2147483001; bottom: max(92px, env(safe-area-inset-bottom)); ${side}: 20px;
  width: min(400px, calc(100vw - 40px)); height: min(680px, calc(100dvh - 112px)); border-radius: 16px; overflow: hidden;
  box-shadow: 0 6px 32px rgb(0 0 0 / 0.32); background: Canvas; visibility: hidden; opacity: 0;
}
.chat.open { visibility: visible; opacity: 1; }
@media (prefers-reduced-motion: no-preference) {
  .chat { transform: translateY(12px); transition: opacity 0.16s, transform 0.16s, visibility 0.16s; }
  .chat.open { transform: none; }
}
button[aria-expanded="false"] .cross, button[aria-expanded="true"] .bubble { display: none; }
iframe { display: block; width: 100%; height: 100%; border: 0; }
@media (max-width: 480px) {
  .chat { inset: 0; width: 100%; height: 100%; border-radius: 0; }
}
@media (forced-colors: active) { button, .chat { border: 2px solid ButtonText; } }`;

const openKey = 'countersign.open';
const remember = (open) => {
  try {
    if (open === undefined) return sessionStorage.getItem(openKey);
    sessionStorage.setItem(openKey, open ? 'open' : 'closed');
  } catch {
    // If the browser stores nothing, the next page shows only the button.
  }
  return undefined;
};

// Built without HTML in strings, which the page may have forbidden (Trusted Types).
const make = (name, attributes, space = 'http://www.w3.org/1999/xhtml') => {
  const made = /** @type {HTMLElement} */ (document.createElementNS(space, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};
const picture = (name, line) => {
  const svg = 'http://www.w3.org/2000/svg';
  const drawn = { fill: 'none', stroke: 'currentColor', 'stroke-width': '1.5', 'stroke-linejoin': 'round', 'stroke-linecap': 'round' };
  const made = make('svg', { class: name, viewBox: '0 0 20 20', 'aria-hidden': 'true', ...drawn }, svg);
  made.append(make('path', { d: line }, svg));
  return made;
};

/** An element that the page's own styles do not reach into. */
const makeHost = (css) => {
  const host = document.createElement('countersign-chat');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  return { host, root };
};

/** Where the chat covers the whole page, which then neither scrolls nor has the focus, and Back closes the chat. */
const makeCover = (host, chat, close) => {
  const small = matchMedia('(max-width: 480px)');
  let undo = () => {};
  const isOurs = () => history.state?.countersign === true;
  addEventListener('popstate', () => !isOurs() && close());
  return (open, pushes) => {
    undo();
    undo = () => {};
    if (!open && isOurs()) history.back();
    if (!open || !small.matches) return;
    const { overflow } = document.documentElement.style;
    const others = /** @type {HTMLElement[]} */ ([...document.body.children]).filter((one) => one !== host && !one.inert);
    for (const one of others) one.inert = true;
    document.documentElement.style.overflow = 'hidden';
    chat.setAttribute('aria-modal', 'true');
    if (pushes && !isOurs()) history.pushState({ ...history.state, countersign: true }, '');
    undo = () => {
      for (const one of others) one.inert = false;
      document.documentElement.style.overflow = overflow;
      chat.removeAttribute('aria-modal');
    };
  };
};

const makeLauncher = () => {
  const { host, root } = makeHost(style);
  const chat = make('div', { class: 'chat', role: 'dialog', 'aria-label': settings.name });
  const badge = make('b', { hidden: '' });
  const button = make('button', { type: 'button', 'aria-expanded': 'false' });
  button.append(picture('bubble', 'M3.5 4.5h13v9h-7L6 16.5v-3H3.5Z'), picture('cross', 'm4.5 4.5 11 11m0-11-11 11'), badge);
  root.append(chat, button);
  const isOpen = () => chat.classList.contains('open');
  const name = (count = 0) => {
    badge.hidden = count === 0;
    badge.textContent = count > 99 ? '99+' : String(count);
    const what = isOpen() ? text.close : (label ?? text.open);
    button.setAttribute('aria-label', count > 0 ? `${what} (${count} ${text.unread})` : what);
  };
  const load = () => {
    if (frame) return;
    frame = makeFrame();
    chat.append(frame);
  };
  let takesFocus = false;
  const shown = () => post({ shown: isOpen(), focus: takesFocus });
  const show = (open, { focus = true } = {}) => {
    if (open === isOpen()) return;
    if (open) load();
    chat.classList.toggle('open', open);
    button.setAttribute('aria-expanded', String(open));
    remember(open);
    name();
    cover(open, focus);
    takesFocus = focus && open;
    shown();
    if (focus && open) setTimeout(() => frame?.focus(), still.matches ? 0 : 180);
    if (focus && !open) button.focus();
    tell(open ? 'open' : 'close');
  };
  const cover = makeCover(host, chat, () => show(false));
  button.addEventListener('click', () => show(!isOpen()));
  root.addEventListener('keydown', (event) => {
    if (/** @type {KeyboardEvent} */ (event).key === 'Escape') show(false);
  });
  name();
  document.body.append(host);
  // An open chat continues across the pages of the site.
  const was = remember();
  if (was === 'open') show(true, { focus: false });
  else if (was === 'closed') load();
  return { show, shown, isOpen, unread: name };
};

// ---- both ----

const place = () => {
  const holder = inline && document.querySelector(inline);
  if (inline && !holder) throw new Error(`countersign: nothing on this page is ${inline}.`);
  if (holder) {
    const { host, root } = makeHost(':host, iframe { display: block; width: 100%; height: 100%; border: 0; }');
    frame = makeFrame();
    root.append(frame);
    holder.append(host);
    return { show: () => frame?.focus(), shown: () => post({ shown: true }), isOpen: () => true, unread: () => {} };
  }
  return makeLauncher();
};

const begin = () => {
  const launcher = place();
  addEventListener('message', ({ data, origin: from, source }) => {
    if (from !== origin || source !== frame?.contentWindow || typeof data?.countersign !== 'object') return;
    const { ready, close, unread, outcome } = data.countersign;
    if (ready) {
      loaded = true;
      launcher.shown();
      tell('ready');
    }
    if (close) launcher.show(false);
    if (unread !== undefined) {
      if (!launcher.isOpen()) launcher.unread(unread);
      tell('unread', { count: unread });
    }
    if (outcome) tell('outcome', outcome);
  });
  Object.assign(window, {
    countersign: { open: () => launcher.show(true), close: () => launcher.show(false) },
  });
};

if (document.body && document.readyState !== 'loading') begin();
else document.addEventListener('DOMContentLoaded', begin, { once: true });
