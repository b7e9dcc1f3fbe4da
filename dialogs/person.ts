// While a person is on: what the customer writes goes to them, the bot is silent, and either side can have it back.

import { apps, isAppId } from '../src/contract/index.ts';
import { handoffStatus, type Line } from '../src/handoff/index.ts';
import type { Interaction } from '../src/interactions/index.ts';
import { hidden, withoutSecrets } from '../src/platform/without-secrets.ts';
import { say, unread } from './activities.ts';
import type { Activity, DialogContext } from './sdk.ts';
import { innermost, type Turn } from './turn.ts';
import { endProofs, standingOf } from './verified.ts';
import { phrasesOf, wholly, wordsSaid } from './words.ts';

/** A day: what was sent while a person was on may end after they have left, and they still hear of it. */
const remembered = 24 * 60 * 60_000;

/** Whether a person has the chat. */
export const isOn = ({ person }: Pick<Turn, 'person'>): boolean => person?.state === 'accepted';

/** Finds the person who was asked for, or has the chat, and keeps them with the turn. */
export const findPerson = async (turn: Turn): Promise<void> => {
  const { memory, services } = turn;
  const found = memory.person && (await services.handoffs?.get(memory.person.id));
  if (!found || services.clock.now() - (found.endedAt ?? Infinity) > remembered) delete memory.person;
  else turn.person = found;
  // The turn that they left in may have died before this was kept.
  if (found?.acceptedAt !== undefined && found.state === 'over') partWith(turn);
};

/** A person who had the chat is gone: the customer may be somebody else by now. */
export const partWith = (turn: Turn): void => {
  const { memory } = turn;
  if (!memory.person || memory.person.gone) return;
  memory.person = { ...memory.person, gone: true };
  endProofs(turn);
};

/** The name under which the customer knows who writes to them. */
export const namedAgent = ({ person }: Pick<Turn, 'person'>): string => person?.agent?.name ?? 'none';

/** Six characters with a digit among them may be a passcode (decision 0024). */
const mayHoldCode = (text: string) =>
  withoutSecrets(text).includes(hidden) || text.split(/\s+/).some((word) => /^(?=.*\d)\S{6}[.,!?]?$/.test(word));

/** Whether what was typed is for a request that waits for a code in this chat: a person has no business with it. */
const isForWait = (dc: DialogContext, text: string): boolean => {
  const app = dc.activeDialog?.id;
  return innermost(dc)?.id === 'wait' && isAppId(app) && apps[app].answeredIn === 'chat' && mayHoldCode(text);
};

/**
 * Takes a customer's turn while a person has the chat; `false` when nobody has. `goOn` goes on with the bot.
 */
export const withPerson = async (dc: DialogContext, turn: Turn, goOn: (greeting: string) => Promise<void>): Promise<boolean> => {
  const { input, memory, t } = turn;
  if (!isOn(turn) || !memory.person) return false;
  if (input.kind === 'action' || input.kind === 'foreign') {
    if (innermost(dc)?.id === 'wait') await dc.continueDialog();
    else await say(turn, t('agent.here', { agent: namedAgent(turn) }));
    return true;
  }
  const { asked, ...person } = memory.person;
  memory.person = person;
  if (input.kind === 'text') {
    const said = wordsSaid(input.text, t, ['phrases.please', 'phrases.courtesy']);
    const answer = wholly(said, ['yes', 'no', 'bot'] as const, (name) => phrasesOf(t, `phrases.${name}`));
    if (asked && (answer === 'yes' || answer === 'bot')) return returned(turn, goOn);
    if (asked && answer === 'no') {
      await say(turn, t('agent.stays', { agent: namedAgent(turn) }));
      return true;
    }
    if (answer === 'bot') {
      memory.person = { ...person, asked: true };
      await say(turn, t('agent.askReturn', { agent: namedAgent(turn) }), { quick: [t('cards.buttons.yes'), t('cards.buttons.no')] });
      return true;
    }
    if (isForWait(dc, input.text)) {
      await dc.continueDialog();
      return true;
    }
  }
  if (input.kind === 'unreadable' && input.long) await say(turn, unread(t, input));
  else await forward(turn);
  return true;
};

const returned = async (turn: Turn, goOn: (greeting: string) => Promise<void>): Promise<true> => {
  const { services, t } = turn;
  turn.person = turn.person && (await services.handoffs?.end(turn.person.id, 'returned', 'customer'));
  partWith(turn);
  await goOn(t('agent.returned'));
  return true;
};

/** Passes what the customer wrote on to the person, without anything that may be a code. */
export const forward = async (turn: Turn): Promise<void> => {
  const { context, input, person, services } = turn;
  const { id = services.newId(), attachments = [] } = context.activity;
  const files = attachments.flatMap(fileOf);
  const text = input.kind === 'text' ? withoutSecrets(input.text) : undefined;
  if (!person || (text === undefined && files.length === 0)) return;
  const message = { id, ...(text !== undefined && { text }), ...(files.length > 0 && { attachments: files }) };
  await services.handoffs?.tell(person, { type: 'message', key: `message ${id}`, data: { message, verification: standingOf(turn) } });
};

/**
 * Shows those who may come what was said in a turn while nobody was there yet. Whoever has left a message does not wait:
 * what they say after it is between them and the bot.
 */
export const tellWaited = async (
  { context: { activity }, person, services }: Turn,
  before: Turn['person'],
  lines: readonly Line[],
): Promise<void> => {
  if (person?.state !== 'requested' || person.id !== before?.id || person.reason === 'message' || lines.length === 0) return;
  const name = activity.type === 'message' && activity.id ? activity.id : services.newId();
  await services.handoffs?.tell(person, { type: 'waited', key: `waited ${name}`, data: { lines } });
};

/** A file, as far as somebody else can open it. */
const fileOf = ({ contentType, contentUrl, name }: NonNullable<Activity['attachments']>[number]) =>
  contentUrl && /^https?:/.test(contentUrl) ? [{ contentType, contentUrl, ...(name !== undefined && { name }) }] : [];

/** Tells the person how a request of this chat ended: while they are on, and afterwards of what was begun before. */
export const notifyPerson = async (turn: Turn, interaction: Interaction, ending: string): Promise<void> => {
  const { person, services } = turn;
  if (!person || interaction.createdAt > (person.endedAt ?? Infinity)) return;
  const { agentId, alike, app, id, outcome, requestId, state } = interaction;
  const status = outcome?.status ?? state;
  const named = requestId !== undefined && !(alike && status !== 'success');
  const ended = { interactionId: id, app, status, ...(named && { requestId }), ...(agentId !== undefined && { agentId }) };
  await services.handoffs?.tell(person, {
    type: 'outcome',
    key: `outcome ${ending}`,
    data: { outcome: ended, verification: standingOf(turn) },
  });
};

/**
 * Tells the person who is on, or is waited for, how the customer stands now, where no other message says so.
 */
export const notifyStanding = async (turn: Turn): Promise<void> => {
  const { person, services } = turn;
  if (!person || person.state === 'over') return;
  const letter = { type: 'verification', key: `verification ${services.newId()}`, data: { verification: standingOf(turn) } };
  await services.handoffs?.tell(person, letter);
};

/**
 * Follows what a hub behind the channel says about its handoff. A handoff that this chat has not asked for changes
 * nothing.
 */
export const heedHub = async (turn: Turn, goOn: (greeting: string) => Promise<void>): Promise<void> => {
  const { context, person, services, t } = turn;
  const status = handoffStatus(context.activity);
  // Somebody else may have had the chat in between.
  if (status === 'completed') endProofs(turn);
  if (!status || person?.hub !== 'event' || person.state === 'over' || !services.handoffs) return;
  switch (status) {
    case 'accepted':
      turn.person = (await services.handoffs.take(person.id, { id: 'event' })) ?? person;
      return;
    case 'failed':
      turn.person = await services.handoffs.end(person.id, 'failed', 'hub');
      return goOn(t('agent.failed'));
    case 'completed':
      turn.person = await services.handoffs.end(person.id, 'finished', 'hub');
      partWith(turn);
      return goOn(t('agent.finished', { agent: 'none' }));
    default:
      return status satisfies never;
  }
};

/** The customer writes to the person who is on. */
export const showTyping = ({ person, services }: Turn): void => {
  if (person?.state === 'accepted') services.handoffs?.typing(person);
};

/** The customer no longer waits for anybody. */
export const withdrawHandoff = async ({ person, services }: Turn): Promise<void> => {
  if (person && person.state !== 'over') await services.handoffs?.end(person.id, 'withdrawn', 'customer');
};

/**
 * The other side has ended the conversation, so we say nothing. Open requests go on, and their outcome is told
 * if the chat still takes it.
 */
export const leave = async (dc: DialogContext, turn: Turn) => {
  await dc.cancelAllDialogs();
  endProofs(turn);
  await withdrawHandoff(turn);
};
