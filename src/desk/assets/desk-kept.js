// What a page restores after a reload or a new sign-in: where the agent was and what they had written. Stored for this
// tab and this person only, and without anything that customers wrote. On the server, drafts would be one more store of
// personal data with a retention of its own.
import { openTalk } from 'desk-acts';
import { isMine, state, subscribe, talkOf } from 'desk-state';

const key = 'countersign.desk';
/** The panel in another platform's page has nothing to store. */
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
    return isMine(state.rows.get(id)) || draft ? [{ draft, id, pending: unsent, seen }] : [];
  });
  try {
    sessionStorage.setItem(key, JSON.stringify({ me: state.me.id, away: state.me.away, open: state.open, talks }));
  } catch {
    // The browser stores nothing.
  }
};

let timer;
/** Stores soon, but not at every keystroke. */
export const keepSoon = () => {
  timer ??= setTimeout(() => {
    timer = undefined;
    keep();
  }, 300);
};

/** Signing out removes everything stored. */
export const forget = () => {
  removeEventListener('pagehide', keep);
  clearTimeout(timer);
  timer = 0;
  sessionStorage.removeItem(key);
};

/** Whether this person was away when the page was unloaded. */
export const wasAway = (me) => {
  const kept = read();
  return kept.me === me.id && kept.away === true;
};

/** Restores the stored state, once the list has loaded. */
export const goOn = () => {
  const kept = read();
  if (!framed && kept.me === state.me.id) {
    for (const { draft, id, pending, seen } of kept.talks ?? [])
      if (isMine(state.rows.get(id))) Object.assign(talkOf(id), { draft, pending, seen });
      else if (state.rows.has(id)) talkOf(id).draft = draft;
    if (state.rows.has(kept.open)) openTalk(kept.open);
  }
  subscribe(keepSoon);
  addEventListener('pagehide', keep);
};
