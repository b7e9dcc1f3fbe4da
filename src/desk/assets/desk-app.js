// The whole page: the bar at the top, the three columns below it, and the global keyboard shortcuts.

import { reopen, setAway, step, takeNext, takeOpen } from 'desk-acts';
import { Conversation } from 'desk-conversation';
import { Dialogs } from 'desk-dialogs';
import { forget } from 'desk-kept';
import { mine, waiting } from 'desk-order';
import { Overview } from 'desk-overview';
import { Panel } from 'desk-panel';
import { html, Icon } from 'desk-parts';
import { Queue } from 'desk-queue';
import { changed, focusOn, isMine, openDialog, show, state, subscribe, talkOf, unread } from 'desk-state';
import { brand, t } from 'desk-words';
import { useEffect, useReducer } from 'preact/hooks';

const ifMine = (what) => () => isMine(state.rows.get(state.open)) && what();

const keys = {
  KeyB: ifMine(() => openDialog('return')),
  KeyG: ifMine(() => openDialog('transfer')),
  KeyN: takeNext,
  KeyT: takeOpen,
  KeyL: () => focusOn('.queue .row[tabindex="0"], .queue-head button'),
  KeyW: () => focusOn('#write'),
  KeyS: ifMine(() => openDialog('start')),
  KeyE: ifMine(() => openDialog('finish')),
  KeyV: ifMine(() => openDialog('verify')),
  KeyK: () => openDialog('keys'),
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
};

/** Shortcuts that lead back to the conversations from any view. */
const anywhere = new Set(['KeyN', 'KeyK', 'ArrowDown', 'ArrowUp']);

const onKey = (event) => {
  if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || state.dialog) return;
  const what = keys[event.code];
  if (!what || (state.view !== 'desk' && !anywhere.has(event.code))) return;
  event.preventDefault();
  what();
};

const mayNotify = () => 'Notification' in window && Notification.permission === 'default';

const Bar = () => {
  const { colleagues, me } = state;
  const there = colleagues.filter(({ away }) => !away).length;
  return html`<header class="bar">
    <h1 class="hidden">${t('title')}</h1>
    <p class="brand"><svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path class="mark-shield" d="M16 2.5 27 6.4v8.9c0 6.9-4.6 11.7-11 14.2C9.6 27 5 22.2 5 15.3V6.4Z"></path><path class="mark-stroke" d="m10 16.3 4.3 4.2L22.5 11"></path></svg><span>${brand}</span></p>
    ${
      me?.role === 'supervisor' &&
      html`<nav class="views" aria-label=${t('title')}><button type="button" aria-current=${state.view === 'desk' ? 'page' : undefined} onClick=${() => show('desk')}>${t('desk')}</button><button type="button" aria-current=${state.view === 'desk' ? undefined : 'page'} onClick=${() => show('overview')}>${t('overview')}</button></nav>`
    }
    <div class="right">
      <details class="who"><summary><${Icon} name="person" /><span class="wide-only">${t('colleagues')}</span> <span class="count">${there}</span></summary><ul>${colleagues.map((one) => html`<li class=${one.away ? 'away' : ''}>${one.name} <small>${t(one.away ? 'away' : 'here')}</small></li>`)}</ul></details>
      ${
        mayNotify() &&
        html`<button type="button" class="quiet" aria-label=${t('notify')} title=${t('notify')} onClick=${() => Notification.requestPermission().then(changed)}><${Icon} name="bell" /></button>`
      }
      <button type="button" class="quiet" aria-haspopup="dialog" onClick=${() => openDialog('keys')}><kbd>Alt K</kbd><span class="hidden">${t('keys')}</span></button>
      <button type="button" class="quiet" aria-pressed=${me?.away ?? false} onClick=${() => setAway(!me?.away)}>${t(me?.away ? 'beHere' : 'beAway')}</button>
      <form method="post" action="/desk/sign-out" onSubmit=${forget}><button class="quiet" title=${me?.email ?? me?.name}>${t('signOut')}<span class="me wide-only"> · ${me?.name}</span></button></form>
    </div>
  </header>`;
};

const Line = () => {
  if (state.connection === 'open') return undefined;
  if (state.connection === 'replaced')
    return html`<p class="line" role="alert">${t('replaced')} <button type="button" onClick=${reopen}>${t('useHere')}</button></p>`;
  return html`<p class="line" role="status">${t(state.me ? 'reconnecting' : 'connecting')}</p>`;
};

export const App = () => {
  const [, draw] = useReducer((count) => count + 1, 0);
  useEffect(() => subscribe(draw), []);
  useEffect(() => {
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  useEffect(() => {
    const news = waiting().length + mine().reduce((sum, { id }) => sum + unread(state.talks.get(id)), 0);
    document.title = `${news > 0 ? `(${news}) ` : ''}${t('title')} · ${brand}`;
  });
  return html`<a class="skip" href="#talk">${t('skip')}</a>
    <${Bar} />
    <${Line} />
    ${state.view === 'desk' || state.me?.role !== 'supervisor' ? html`<div class=${`columns ${state.open && talkOf(state.open).panel ? 'open' : ''} ${state.open || state.peek ? 'reading' : ''}`}><${Queue} /><${Conversation} /><${Panel} /></div>` : html`<${Overview} />`}
    <${Dialogs} />
    ${state.notice && html`<p class="toast" aria-hidden="true">${state.notice}</p>`}
    <div class="hidden" aria-live="polite" id="announcements">${state.said}</div>`;
};
