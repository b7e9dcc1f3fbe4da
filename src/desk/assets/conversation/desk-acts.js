// What the agent does: opens conversations, takes them, and writes in them.

import { inOrder, nextWaiting } from 'desk-order';
import { ask, reconnect, send } from 'desk-socket';
import { changed, focusOn, isAbsent, isMine, notify, now, openDialog, say, state, talkOf } from 'desk-state';
import { named, t } from 'desk-words';

/** A ULID (github.com/ulid/spec): the idempotency key of whatever is started with it. */
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

export const watch = (id) => {
  const talk = talkOf(id);
  talk.watched = true;
  send({ type: 'watch', id, after: talk.last });
};

export const openTalk = (id) => {
  state.view = 'desk';
  if (state.open !== undefined && state.open !== id && !isMine(state.rows.get(state.open))) {
    send({ type: 'leave', id: state.open });
    talkOf(state.open).watched = false;
  }
  state.open = id;
  state.peek = undefined;
  if (id !== undefined) {
    const talk = talkOf(id);
    if (!talk.watched) watch(id);
    talk.seen = talk.last;
    talk.given = undefined;
  }
  changed();
};

/** Opens a conversation, and focuses the message box if this agent owns the conversation. */
export const goTo = (id) => {
  openTalk(id);
  focusOn(isMine(state.rows.get(id)) ? '#write' : `.queue .row[data-id="${id}"]`);
};
/** Moves the selection up or down the list. */
export const step = (by) => {
  const all = inOrder();
  const at = all.findIndex(({ id }) => id === state.open);
  const next = all[at < 0 ? 0 : (at + by + all.length) % all.length];
  if (next) goTo(next.id);
};

export const lookAround = (on) => {
  state.around = on;
  state.running = new Map();
  if (!on) state.peek = undefined;
  send({ type: 'running', on });
  changed();
};
export const peekAt = (id) => {
  openTalk(undefined);
  state.peek = id;
  changed();
  focusOn('.peek .primary');
};
/** Joins a chat that is with the bot; from then on it belongs to this agent. */
export const comeIn = async (id) => {
  const answer = await ask({ type: 'come', id });
  if (answer.refused) return notify(explain(answer));
  openTalk(answer.value.id);
  say(t('saidTaken'));
  focusOn('#write');
};

/** Why something was refused, in words. */
export const explain = ({ refused }, row) =>
  refused === 'not_yours' && row?.agent ? t('hasIt', { agent: row.agent.name }) : named('refused', refused);

/** @returns {Promise<boolean>} whether it was done */
export const act = async (id, what) => {
  const answer = await ask({ type: 'act', id, act: what });
  if (answer.refused) notify(explain(answer));
  return !answer.refused;
};
export const take = async (id) => {
  openTalk(id);
  const row = state.rows.get(id);
  const talk = talkOf(id);
  talk.taking = true;
  if (await act(id, { kind: row?.state === 'requested' ? 'accept' : 'take' })) {
    say(t('saidTaken'));
    focusOn('#write');
  } else talk.taking = false;
};
export const takeNext = () => {
  const next = nextWaiting();
  if (next) return take(next.id);
  notify(t('nobodyWaits'));
};

/** Takes the open conversation, if nobody or somebody else has it. A colleague who is there may be writing in it. */
export const takeOpen = () => {
  const row = state.rows.get(state.open);
  if (!row || isMine(row)) return;
  if (row.state === 'accepted' && !isAbsent(row)) return openDialog('take');
  return take(row.id);
};

export const write = (id, text) => {
  const talk = talkOf(id);
  talk.pending.push({ id: newUlid(), text, at: now(), state: 'waiting' });
  talk.draft = '';
  changed();
  void sendPending(talk);
};

/** Sends one message at a time, to keep their order. A repeat under the same id is delivered once. */
export const sendPending = async (talk) => {
  if (talk.sending) return;
  talk.sending = true;
  try {
    for (;;) {
      const next = talk.pending.find((message) => message.state === 'waiting');
      if (!next) return;
      const answer = await ask({ type: 'act', id: talk.id, act: { kind: 'say', id: next.id, text: next.text } });
      if (answer.lost) return;
      if (answer.refused === 'unavailable') await new Promise((resolve) => setTimeout(resolve, 2_000));
      else if (answer.refused) {
        next.state = 'refused';
        next.refused = answer.refused;
        notify(`${t('refusedMessage')} ${explain(answer, state.rows.get(talk.id))}`);
      } else next.state = 'sent';
      changed();
    }
  } finally {
    talk.sending = false;
  }
};
/** Shows the customer that the agent is typing; the server limits how often. */
let typedAt = 0;
export const typing = (id) => {
  const at = performance.now();
  if (at - typedAt < 3_000) return;
  typedAt = at;
  send({ type: 'typing', id });
};

/** Copies what could not be sent, so that it can be used elsewhere. */
export const copy = async (text) => {
  await navigator.clipboard.writeText(text);
  notify(t('copied'));
};

export const discard = (id, message) => {
  const talk = talkOf(id);
  talk.pending = talk.pending.filter((one) => one.id !== message);
  changed();
};

export const setAway = (away) => {
  state.me = { ...state.me, away };
  send({ type: 'away', away });
  changed();
};
export const reopen = () => {
  state.connection = 'connecting';
  changed();
  reconnect();
};
