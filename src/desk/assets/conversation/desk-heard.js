// Handles every frame from the server.
import { goTo, sendPending, watch } from 'desk-acts';
import { goOn, wasAway } from 'desk-kept';
import { numberIn } from 'desk-queue';
import { endingOf } from 'desk-said';
import { ask, connect, send } from 'desk-socket';
import { changed, flowTitle, isMine, notify, say, state, talkOf } from 'desk-state';
import { language, named, t } from 'desk-words';

/** Shows a notification if the page is not visible; a click on it opens the conversation. */
const alertAbout = (title, body, id) => {
  if (document.hidden && 'Notification' in window && Notification.permission === 'granted') {
    const shown = new Notification(title, { body, tag: id });
    shown.addEventListener('click', () => {
      window.focus();
      if (state.rows.has(id)) goTo(id);
      shown.close();
    });
  }
};

/** `first`: the list as it was when the page loaded, which needs no notification. */
const heardRows = (rows, gone, first = false) => {
  for (const row of rows) {
    const before = state.rows.get(row.id);
    state.rows.set(row.id, row);
    const talk = state.talks.get(row.id);
    if (talk) talk.over = false;
    if (row.state === 'requested' && !before && !first) {
      const reason = named('reason', row.reason);
      say(`${t('noticeWaiting')}: ${reason}`);
      alertAbout(t('noticeWaiting'), reason, row.id);
    }
    if (isMine(row)) {
      // An agent who has just taken it needs no notification.
      if (talkOf(row.id).taking) talkOf(row.id).taking = false;
      else if (before && before.state === 'accepted' && !isMine(before)) {
        const given = t('noticeTransfer', { agent: before.agent?.name ?? '' });
        notify(given);
        alertAbout(given, '', row.id);
        if (state.open !== row.id) talkOf(row.id).given = before.agent?.name;
      }
      if (!talkOf(row.id).watched) watch(row.id);
    } else if (before && isMine(before)) notify(t('noticeTaken', { agent: row.agent?.name ?? '', who: numberIn(row) }));
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
    // Received again after a reconnect.
    if (event.number <= talk.last) continue;
    const fresh = talk.last > 0;
    talk.last = event.number;
    talk.events = [...talk.events, event];
    if (event.type === 'said') {
      talk.pending = talk.pending.filter((message) => message.id !== event.message.id);
      // An answered message has been read.
      talk.seen = Math.max(talk.seen, event.number);
    }
    if (event.type === 'ended') {
      talk.over = true;
      if (fresh && event.by !== 'agent') notify(endingOf(event));
    }
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
    const first = state.me === undefined;
    state.skew = theirs - Date.now();
    state.me = { ...me, away: state.me?.away ?? wasAway(me) };
    if (state.me.away) send({ type: 'away', away: true });
    if (state.around) send({ type: 'running', on: true });
    state.colleagues = colleagues;
    const here = new Set(rows.map(({ id }) => id));
    for (const talk of state.talks.values()) talk.watched = false;
    heardRows(
      rows,
      [...state.rows.keys()].filter((id) => !here.has(id)),
      first,
    );
    if (first) goOn();
    if (state.open !== undefined && !talkOf(state.open).watched) watch(state.open);
    for (const talk of state.talks.values()) void sendPending(talk);
    void ask({ type: 'flows', language }).then(({ value }) => {
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

connect({
  frame: (frame) => {
    heard[frame.type]?.(frame);
    changed();
  },
  state: (connection) => {
    state.connection = connection;
    changed();
  },
});
