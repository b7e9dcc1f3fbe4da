// What a page that is loaded anew goes on with, also after signing in again: where the agent was and what they had
// written. For this tab alone, for the same person, and nothing of what customers wrote.
import { openTalk } from 'desk-acts';
import { isMine, state, subscribe, talkOf } from 'desk-state';

const key = 'countersign.desk';
/** The panel in another platform's page has nothing to keep. */
const framed = document.body.dataset.frame !== undefined;

const read = () => {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}');
  } catch {
    return {};
  }
};

const keep = () => {
  if (framed || !state.me) return;
  const talks = [...state.talks.values()].flatMap(({ draft, id, pending, seen }) => {
    const unsent = pending.filter((message) => message.state === 'waiting');
    return isMine(state.rows.get(id)) ? [{ draft, id, pending: unsent, seen }] : [];
  });
  try {
    sessionStorage.setItem(key, JSON.stringify({ me: state.me.id, away: state.me.away, open: state.open, talks }));
  } catch {
    // A browser that keeps nothing.
  }
};

let timer;
/** Soon: while somebody writes, not at every letter. */
export const keepSoon = () => {
  timer ??= setTimeout(() => {
    timer = undefined;
    keep();
  }, 300);
};

/** Whoever signs out leaves nothing behind. */
export const forget = () => {
  removeEventListener('pagehide', keep);
  clearTimeout(timer);
  timer = 0;
  sessionStorage.removeItem(key);
};

/** Whether this person had stepped away when the page went. */
export const wasAway = (me) => {
  const kept = read();
  return kept.me === me.id && kept.away === true;
};

/** Goes on with it, once the list is there. */
export const goOn = () => {
  const kept = read();
  if (!framed && kept.me === state.me.id) {
    for (const { draft, id, pending, seen } of kept.talks ?? [])
      if (isMine(state.rows.get(id))) Object.assign(talkOf(id), { draft, pending, seen });
    if (state.rows.has(kept.open)) openTalk(kept.open);
  }
  subscribe(keepSoon);
  addEventListener('pagehide', keep);
};
