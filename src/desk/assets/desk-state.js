// Everything that the page knows, and what changes it. Components read `state` and are drawn again when it changes.
import { connect } from 'desk-socket';
import { language, named, t } from 'desk-words';

/** A ULID (github.com/ulid/spec): the server knows what is started by it. */
export const newUlid = () => {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let time = Date.now();
  let head = '';
  for (let index = 0; index < 10; index += 1) {
    head = alphabet[time % 32] + head;
    time = Math.floor(time / 32);
  }
  return head + [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => alphabet[byte % 32]).join('');
};

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
export const unread = (talk) => (talk ? talk.events.filter(({ number, type }) => type === 'message' && number > talk.seen).length : 0);

/** Those of the bot: the one that has waited longest first. */
export const withBot = () => [...state.running.values()].sort((one, other) => one.since - other.since);

/** The rows in the order in which they are shown. */
export const inOrder = () => [...mine(), ...waiting(), ...others()];

const watch = (id) => {
  const talk = talkOf(id);
  talk.watched = true;
  socket.send({ type: 'watch', id, after: talk.last });
};

export const openTalk = (id) => {
  state.view = 'desk';
  if (state.open !== undefined && state.open !== id && !isMine(state.rows.get(state.open))) {
    socket.send({ type: 'leave', id: state.open });
    talkOf(state.open).watched = false;
  }
  state.open = id;
  state.peek = undefined;
  if (id !== undefined) {
    const talk = talkOf(id);
    if (!talk.watched) watch(id);
    talk.seen = talk.last;
  }
  changed();
};

export const lookAround = (on) => {
  state.around = on;
  state.running = new Map();
  if (!on) state.peek = undefined;
  socket.send({ type: 'running', on });
  changed();
};
export const peekAt = (id) => {
  openTalk(undefined);
  state.peek = id;
  changed();
};
/** Comes into a chat of the bot's; it is this agent's from then on. */
export const comeIn = async (id) => {
  const answer = await socket.ask({ type: 'come', id });
  if (answer.refused) return notify(refusal(answer));
  openTalk(answer.value.id);
  say(t('saidTaken'));
  focusOn('#write');
};

export const show = (view) => {
  state.view = view;
  changed();
};
export const openDialog = (dialog) => {
  state.dialog = dialog;
  changed();
};

const refusal = (answer) => named('refused', answer.refused);

/** @returns {Promise<boolean>} whether it was done */
export const act = async (id, what) => {
  const answer = await socket.ask({ type: 'act', id, act: what });
  if (answer.refused) notify(refusal(answer));
  return !answer.refused;
};
export const ask = (frame) => socket.ask(frame);
export const explain = refusal;

export const take = async (id) => {
  openTalk(id);
  const row = state.rows.get(id);
  if (await act(id, { kind: row?.state === 'requested' ? 'accept' : 'take' })) {
    say(t('saidTaken'));
    focusOn('#write');
  }
};
export const takeNext = () => {
  const [next] = waiting();
  if (next) return take(next.id);
  notify(t('nobodyWaits'));
};

/** Gives something the focus once it is drawn. */
export const focusOn = (selector) => {
  const until = performance.now() + 3_000;
  const look = () => {
    const found = document.querySelector(selector);
    if (found && !found.disabled) found.focus();
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

export const write = (id, text) => {
  const talk = talkOf(id);
  talk.pending.push({ id: newUlid(), text, at: now(), state: 'waiting' });
  talk.draft = '';
  changed();
  void sendPending(talk);
};

/** One after the other, so that they keep their order; the same name again is said once. */
const sendPending = async (talk) => {
  if (talk.sending) return;
  talk.sending = true;
  try {
    for (;;) {
      const next = talk.pending.find((message) => message.state === 'waiting');
      if (!next) return;
      const answer = await socket.ask({ type: 'act', id: talk.id, act: { kind: 'say', id: next.id, text: next.text } });
      if (answer.lost) return;
      if (answer.refused === 'unavailable') await new Promise((resolve) => setTimeout(resolve, 2_000));
      else if (answer.refused) {
        next.state = 'refused';
        notify(`${t('refusedMessage')} ${refusal(answer)}`);
      } else next.state = 'sent';
      changed();
    }
  } finally {
    talk.sending = false;
  }
};
/** The customer sees that somebody writes; the server tells them at its own pace. */
let typedAt = 0;
export const typing = (id) => {
  const at = performance.now();
  if (at - typedAt < 3_000) return;
  typedAt = at;
  socket.send({ type: 'typing', id });
};

/** A flow's title, or its name where it is no more. */
export const flowTitle = (name) => state.flows.find(({ flow }) => flow === name)?.title ?? name;

/** The flow that runs in a conversation for its agent. */
export const flowIn = (talk) => {
  const last = talk.events.findLast(({ flow, type }) => type === 'flow' || type === 'ended' || (type === 'started' && flow));
  return last?.type === 'started' ? last.flow : undefined;
};

export const discard = (id, message) => {
  const talk = talkOf(id);
  talk.pending = talk.pending.filter((one) => one.id !== message);
  changed();
};

export const setAway = (away) => {
  state.me = { ...state.me, away };
  socket.send({ type: 'away', away });
  changed();
};
export const reopen = () => {
  state.connection = 'connecting';
  changed();
  socket.open();
};

/** Shows a notification where the page is not looked at. */
const alertAbout = (title, body, tag) => {
  if (document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    const shown = new Notification(title, { body, tag });
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
    });
  }
};

const heardRows = (rows, gone) => {
  for (const row of rows) {
    const before = state.rows.get(row.id);
    state.rows.set(row.id, row);
    const talk = state.talks.get(row.id);
    if (talk) talk.over = false;
    if (row.state === 'requested' && !before) {
      const reason = named('reason', row.reason);
      say(`${t('noticeWaiting')}: ${reason}`);
      alertAbout(t('noticeWaiting'), reason, row.id);
    }
    if (isMine(row)) {
      if (before && before.state === 'accepted' && !isMine(before)) {
        notify(t('noticeTransfer'));
        alertAbout(t('noticeTransfer'), '', row.id);
      }
      if (!talkOf(row.id).watched) watch(row.id);
    }
  }
  for (const id of gone) {
    const talk = state.talks.get(id);
    if (talk) Object.assign(talk, { over: true, row: state.rows.get(id) });
    state.rows.delete(id);
  }
};

const heardEvents = (id, events) => {
  const talk = talkOf(id);
  if (events.length === 0 && talk.last === 0) talk.missing = true;
  for (const event of events) {
    // Twice over a connection that was found again.
    if (event.number <= talk.last) continue;
    const fresh = talk.last > 0;
    talk.last = event.number;
    talk.events = [...talk.events, event];
    if (event.type === 'said') talk.pending = talk.pending.filter((message) => message.id !== event.message.id);
    if (event.type === 'ended') talk.over = true;
    if (event.type === 'message') talk.writesUntil = 0;
    if (fresh && event.type === 'message') {
      const looked = state.open === id && !document.hidden;
      say(t('saidNew', { from: t('customer'), text: event.message.text ?? event.message.files.map(({ name }) => name).join(', ') }));
      if (!looked) alertAbout(t('noticeMessage'), '', id);
    }
    if (fresh && event.type === 'flow') say(t('event.outcome', { app: flowTitle(event.flow), status: named('status', event.status) }));
    if (fresh && event.type === 'outcome') say(t('event.outcome', { app: named('app', event.app), status: named('status', event.status) }));
  }
  if (state.open === id && !document.hidden) talk.seen = talk.last;
};

const heard = {
  welcome: ({ me, now: theirs, rows, colleagues }) => {
    state.skew = theirs - Date.now();
    state.me = { ...me, away: state.me?.away ?? me.away };
    if (state.me.away) socket.send({ type: 'away', away: true });
    if (state.around) socket.send({ type: 'running', on: true });
    state.colleagues = colleagues;
    const here = new Set(rows.map(({ id }) => id));
    for (const talk of state.talks.values()) talk.watched = false;
    heardRows(
      rows,
      [...state.rows.keys()].filter((id) => !here.has(id)),
    );
    if (state.open !== undefined && !talkOf(state.open).watched) watch(state.open);
    for (const talk of state.talks.values()) void sendPending(talk);
    void socket.ask({ type: 'flows', language }).then(({ value }) => {
      state.flows = value ?? state.flows;
      changed();
    });
  },
  typing: ({ id }) => {
    talkOf(id).writesUntil = performance.now() + 5_000;
    setTimeout(changed, 5_100);
  },
  rows: ({ rows, gone }) => heardRows(rows, gone),
  running: ({ all, gone, rows }) => {
    if (all) state.running = new Map();
    for (const row of rows) state.running.set(row.id, row);
    for (const id of gone) state.running.delete(id);
  },
  colleagues: ({ colleagues }) => {
    state.colleagues = colleagues;
  },
  happened: ({ id, events }) => heardEvents(id, events),
  panel: ({ id, panel }) => {
    talkOf(id).panel = panel;
  },
  tick: ({ now: theirs }) => {
    state.skew = theirs - Date.now();
  },
};

document.addEventListener('visibilitychange', () => {
  if (document.hidden || state.open === undefined) return;
  const talk = talkOf(state.open);
  talk.seen = talk.last;
  changed();
});

const socket = connect({
  frame: (frame) => {
    heard[frame.type]?.(frame);
    changed();
  },
  state: (connection) => {
    state.connection = connection;
    changed();
  },
});
