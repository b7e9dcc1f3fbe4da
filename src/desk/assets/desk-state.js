// The page's state. Components read `state` and render again when it changes.
export const state = {
  connection: 'connecting',
  me: undefined,
  colleagues: [],
  /** Conversations in the list, by id. */
  rows: new Map(),
  /** Details of the conversations that were opened, by id. */
  talks: new Map(),
  open: undefined,
  /** Chats that are with the bot, by id; whether that list is open; and the chat that the agent is about to join. */
  running: new Map(),
  /** Flows that an agent can start. */
  flows: [],
  around: false,
  /** Which of the waiting conversations are listed. */
  filter: { language: '', verified: false },
  peek: undefined,
  view: 'desk',
  dialog: undefined,
  /** The next announcement for screen readers, and a notice that is visible for a moment. */
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
/** Renders once for all changes of one tick. */
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
  // Screen readers announce repeated text only if it differs.
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
      given: undefined,
    };
    state.talks.set(id, talk);
  }
  return talk;
};

/** At another platform an agent has another id, and a verified address in common. */
export const isMine = (row) => {
  const { id, email } = row?.agent ?? {};
  return id !== undefined && (id === state.me?.id || (email !== undefined && email === state.me?.email));
};
/** Whether the agent who has the conversation is not at the desk. */
export const isAbsent = ({ agent }) => agent !== undefined && !state.colleagues.some(({ id }) => id === agent.id);
/** The customer's messages and the outcomes since the agent last looked. */
export const unread = (talk) => (talk ? talk.events.filter(({ number, type }) => news.has(type) && number > talk.seen).length : 0);
const news = new Set(['message', 'outcome', 'flow']);
/** Since when the customer has been waiting for an answer; `undefined`: they are not. */
export const owedSince = (talk) => {
  if (!talk || talk.pending.length > 0) return undefined;
  const from = talk.events.findLastIndex(({ type }) => type === 'said');
  // Nobody has answered yet.
  if (from < 0) return talk.events.find(({ type }) => type === 'joined')?.at;
  return talk.events.slice(from + 1).find(({ type }) => type === 'message')?.at;
};
/** The last message of either side. */
export const lastSaid = (talk) => talk?.pending.at(-1) ?? talk?.events.findLast(({ type }) => type === 'message' || type === 'said');
export const hasDraft = (talk) => (talk?.draft ?? '').trim() !== '';

/** A flow's title, or its name if it no longer exists. */
export const flowTitle = (name) => state.flows.find(({ flow }) => flow === name)?.title ?? name;

/** The flow that the agent runs in a conversation. */
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

/** Focuses an element, at once or as soon as it is rendered, so that no keystroke is lost. */
export const focusOn = (selector) => {
  const until = performance.now() + 3_000;
  const look = () => {
    const found = [...document.querySelectorAll(selector)].find(({ disabled }) => !disabled);
    found?.focus();
    // Nothing behind a dialog can have the focus until it is closed.
    if (document.activeElement !== found && performance.now() < until) requestAnimationFrame(look);
  };
  // An element that exists now may belong to the previous view.
  queueMicrotask(look);
};
