// Everything that the page knows. Components read `state` and are drawn again when it changes.
export const state = {
  connection: 'connecting',
  me: undefined,
  colleagues: [],
  /** Conversations in the list, by id. */
  rows: new Map(),
  /** What is known of conversations that were looked at, by id. */
  talks: new Map(),
  open: undefined,
  /** Chats that the bot has to itself, by id; whether they are looked at; and the one that may be come into. */
  running: new Map(),
  /** What can be begun beside the apps. */
  flows: [],
  around: false,
  peek: undefined,
  view: 'desk',
  dialog: undefined,
  /** What screen readers say next; and what everybody sees for a moment. */
  said: '',
  notice: '',
  /** How far (ms) the server's clock is ahead. */
  skew: 0,
};

const listeners = new Set();
let drawing = false;
export const subscribe = (hear) => {
  listeners.add(hear);
  return () => listeners.delete(hear);
};
/** Draws once for all changes of the same moment. */
export const changed = () => {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    for (const hear of listeners) hear();
  });
};
export const now = () => Date.now() + state.skew;

export const say = (text) => {
  // The same words again are heard again only if they differ.
  state.said = text === state.said ? `${text}\u00a0` : text;
  changed();
};
let noticeTimer;
export const notify = (text) => {
  state.notice = text;
  say(text);
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    state.notice = '';
    changed();
  }, 6_000);
};

export const talkOf = (id) => {
  let talk = state.talks.get(id);
  if (!talk) {
    talk = {
      id,
      events: [],
      last: 0,
      seen: 0,
      panel: undefined,
      pending: [],
      draft: '',
      writesUntil: 0,
      row: undefined,
      watched: false,
      over: false,
      missing: false,
      taking: false,
    };
    state.talks.set(id, talk);
  }
  return talk;
};

export const isMine = (row) => row?.agent?.id === state.me?.id;
export const waiting = () =>
  [...state.rows.values()].filter((row) => row.state === 'requested').sort((one, other) => one.createdAt - other.createdAt);
export const mine = () => [...state.rows.values()].filter(isMine).sort((one, other) => one.createdAt - other.createdAt);
export const others = () =>
  [...state.rows.values()].filter((row) => row.state === 'accepted' && !isMine(row)).sort((one, other) => one.createdAt - other.createdAt);
/** What the customer wrote and how things ended, since somebody looked. */
export const unread = (talk) => (talk ? talk.events.filter(({ number, type }) => news.has(type) && number > talk.seen).length : 0);
const news = new Set(['message', 'outcome', 'flow']);
/** Since when the customer waits for an answer; `undefined`: they do not. */
export const owedSince = (talk) => {
  if (!talk || talk.pending.length > 0) return undefined;
  const from = talk.events.findLastIndex(({ type }) => type === 'said');
  // Nobody has said a word to them yet.
  if (from < 0) return talk.events.find(({ type }) => type === 'joined')?.at;
  return talk.events.slice(from + 1).find(({ type }) => type === 'message')?.at;
};
/** What either side said last. */
export const lastSaid = (talk) => talk?.pending.at(-1) ?? talk?.events.findLast(({ type }) => type === 'message' || type === 'said');
export const hasDraft = (talk) => (talk?.draft ?? '').trim() !== '';

/** Those of the bot: the one that has waited longest first. */
export const withBot = () => [...state.running.values()].sort((one, other) => one.since - other.since);

/** The rows in the order in which they are shown. */
export const inOrder = () => [...mine(), ...waiting(), ...others()];

/** A flow's title, or its name where it is no more. */
export const flowTitle = (name) => state.flows.find(({ flow }) => flow === name)?.title ?? name;

/** The flow that runs in a conversation for its agent. */
export const flowIn = (talk) => {
  const last = talk.events.findLast(({ flow, type }) => type === 'flow' || type === 'ended' || (type === 'started' && flow));
  return last?.type === 'started' ? last.flow : undefined;
};

export const show = (view) => {
  state.view = view;
  changed();
};
export const openDialog = (dialog) => {
  state.dialog = dialog;
  changed();
};

/** Gives something the focus, at once or as soon as it is drawn: whoever types on loses no letter. */
export const focusOn = (selector) => {
  const until = performance.now() + 3_000;
  const look = () => {
    const found = document.querySelector(selector);
    if (found && !found.disabled) found.focus();
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  // What is there now may belong to what was shown before.
  queueMicrotask(look);
};
