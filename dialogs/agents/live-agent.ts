// While an agent has the chat: messages go to the agent, the bot is silent, and either side can return to the bot.

import { isDeepStrictEqual } from 'node:util';
import { apps, isAppId } from '../../src/contract/index.ts';
import { type HubEventDraft, handoffStatus, type Line } from '../../src/escalation/index.ts';
import type { Interaction } from '../../src/interactions/index.ts';
import { ownServiceUrl } from '../../src/platform/channels.ts';
import { maskPhoneNumber } from '../../src/platform/text/masks.ts';
import { hidden, isPartOfCode, withoutSecrets } from '../../src/platform/text/possible-codes.ts';
import { isSamePerson, stateAt, type VerificationState, withoutCustomer } from '../../src/verification/index.ts';
import { phrasesOf, wholly, wordsSaid } from '../language/words.ts';
import type { Activity, DialogContext } from '../sdk.ts';
import { longestPassedOn, say, takeBack, unread, wordsIn } from '../turn/activities.ts';
import { awaitsAgent, innermost, type Turn } from '../turn/turn.ts';
import { endProofs, verificationOf } from '../turn/verified.ts';

/** A day: requests sent while an agent had the chat may end after the agent has left, who is still notified. */
const remembered = 24 * 60 * 60_000;

/** Finds the agent who was asked for or has the chat, and stores the record in the turn. */
export const findHandoff = async (turn: Turn): Promise<void> => {
  const { memory, services } = turn;
  const found = memory.person && (await services.handoffs?.get(memory.person.id));
  if (!found || services.clock.now() - (found.endedAt ?? Infinity) > remembered) delete memory.person;
  else turn.person = found;
  // The turn in which the agent left may have died before this was stored.
  if (found?.acceptedAt !== undefined && found.state === 'over') partWith(turn);
};

/** An agent who had the chat has left: the customer may be a different person by now. */
export const partWith = (turn: Turn): void => {
  const { memory } = turn;
  if (!memory.person || memory.person.gone) return;
  memory.person = { ...memory.person, gone: true };
  endProofs(turn);
};

/** The name under which the customer knows the agent. */
export const namedAgent = ({ person }: Pick<Turn, 'person'>): string => person?.agent?.name ?? 'none';

/** Six characters with a digit among them may be a passcode, and fewer digits alone a part of one, which is held back. */
const mayHoldCode = (text: string) =>
  isPartOfCode(text) || withoutSecrets(text).includes(hidden) || text.split(/\s+/).some((word) => /^(?=.*\d)\S{6}[.,!?]?$/.test(word));

/** Whether the typed text is for a request that waits for a code in this chat: agents must not see it. */
export const isForWait = (dc: DialogContext, text: string): boolean => {
  const app = dc.activeDialog?.id;
  return innermost(dc)?.id === 'wait' && isAppId(app) && apps[app].answeredIn === 'chat' && mayHoldCode(text);
};

/** Handles a customer's turn while an agent has the chat. `goOn` continues with the bot. */
export const relayToAgent = async (dc: DialogContext, turn: Turn, goOn: (greeting: string) => Promise<void>): Promise<void> => {
  const { input, memory, services, t } = turn;
  const agent = namedAgent(turn);
  if (input.kind === 'action' || input.kind === 'foreign') {
    if (innermost(dc)?.id === 'wait') await dc.continueDialog();
    else await say(turn, t('agent.here', { agent }));
    return;
  }
  const { asked, ...person } = memory.person as NonNullable<Turn['memory']['person']>;
  memory.person = person;
  if (input.kind === 'text') {
    const said = wordsSaid(input.text, t, ['phrases.please', 'phrases.courtesy']);
    const answer = wholly(said, ['yes', 'no', 'bot'] as const, (name) => phrasesOf(t, `phrases.${name}`));
    if (asked && (answer === 'yes' || answer === 'bot')) {
      turn.person = turn.person && (await services.handoffs?.end(turn.person.id, 'returned', 'customer'));
      partWith(turn);
      return goOn(t('agent.returned'));
    }
    if (asked && answer === 'no') return void (await say(turn, t('agent.stays', { agent })));
    if (answer === 'bot') {
      memory.person = { ...person, asked: true };
      return void (await say(turn, t('agent.askReturn', { agent }), { quick: [t('cards.buttons.yes'), t('cards.buttons.no')] }));
    }
    if (isForWait(dc, input.text)) {
      if (!isPartOfCode(input.text)) return void (await dc.continueDialog());
      // The agent gets no part of a code either. It is no choice in the wait: the agent may have asked for a number.
      await takeBack(turn);
      return void (await say(turn, t('passcode.notACode')));
    }
  }
  if (await isTooLong(turn)) return;
  if (!(await forward(turn)) && input.kind === 'unreadable') await say(turn, unread(t, input));
};

/** Refuses words that are too long even for an agent; returns whether they were. */
export const isTooLong = async (turn: Turn): Promise<boolean> => {
  const tooLong = (wordsIn(turn.input)?.length ?? 0) > longestPassedOn;
  if (tooLong) await say(turn, turn.t('agent.tooLong', { max: longestPassedOn }));
  return tooLong;
};

/**
 * Forwards the customer's message to the agent, without anything that may be a code or a card number. `false`: there
 * was nothing in it.
 */
export const forward = async (turn: Turn): Promise<boolean> => {
  const { context, input, person, services } = turn;
  const { id = services.newId(), attachments = [], serviceUrl } = context.activity;
  const files = attachments.flatMap((file) => fileOf(file, serviceUrl === ownServiceUrl));
  const words = wordsIn(input);
  const text = words === undefined ? undefined : withoutSecrets(words);
  if (!person || (text === undefined && files.length === 0)) return false;
  const message = { id, ...(text !== undefined && { text }), ...(files.length > 0 && { attachments: files }) };
  await report(turn, { type: 'message', key: `message ${id}`, data: { message } });
  return true;
};

/**
 * Shows the agents who may join what was said in a turn before anyone had joined. A customer who has left a message
 * does not wait: what they say afterwards is not shown.
 */
export const reportWaited = async (turn: Turn, before: Turn['person'], lines: readonly Line[]): Promise<void> => {
  const { context, person, services } = turn;
  const { activity } = context;
  if (!person || !awaitsAgent(turn) || person.id !== before?.id || lines.length === 0) return;
  const name = activity.type === 'message' && activity.id ? activity.id : services.newId();
  await services.handoffs?.report(person, { type: 'waited', key: `waited ${name}`, data: { lines } });
};

/** A file, if others can open it. Any name may lead anywhere, so the host stands before that of a file we do not keep. */
const fileOf = ({ contentType, contentUrl, name = '' }: NonNullable<Activity['attachments']>[number], own: boolean) => {
  const link = contentUrl && /^https?:/.test(contentUrl) ? URL.parse(contentUrl) : null;
  if (!link) return [];
  const plain = withoutSecrets(
    name
      .replace(/[\p{Cc}\p{Cf}]/gu, '')
      .replace(/^.*[\\/]/, '')
      .trim()
      .slice(0, 100)
      .toWellFormed(),
  );
  const named = own ? plain : [link.host, plain].filter(Boolean).join(': ');
  return [{ contentType, contentUrl: link.href, ...(named !== '' && { name: named }) }];
};

/** Tells the agent how a request of this chat ended: while they have it, and later for requests begun before. */
export const notifyAgent = async (turn: Turn, interaction: Interaction, ending: string): Promise<void> => {
  if (interaction.createdAt > (turn.person?.endedAt ?? Infinity)) return;
  const { agentId, blindLookup, app, customerRef, id, outcome, phoneNumber, requestId, state } = interaction;
  const status = outcome?.status ?? state;
  const named = requestId !== undefined && !(blindLookup && status !== 'success');
  const whom = { phone: maskPhoneNumber(phoneNumber), ...(named && { requestId, customerRef }) };
  const ended = { interactionId: id, app, status, ...whom, ...(agentId !== undefined && { agentId }) };
  await report(turn, { type: 'outcome', key: `outcome ${ending}`, data: { outcome: ended } });
};

/**
 * Reports something to the hub together with the verification, which ends with the handoff. If it is about another
 * person than before, it says so.
 */
const report = async (turn: Turn, event: HubEventDraft): Promise<void> => {
  const { person, services } = turn;
  if (!person) return;
  if (person.state === 'over') return services.handoffs?.report(person, event);
  const before = stateAt(person, services.clock.now());
  const verification = verificationOf(turn);
  const another = verification.state === 'verified' && before.phone !== undefined && !isSamePerson(verification, before);
  const data = { ...event.data, verification, ...(another && { before: withoutCustomer(before) }) };
  await services.handoffs?.report(person, { ...event, data });
  turn.person = { ...person, verification };
};

/**
 * Reports to the agent who has the chat, or is waited for, what this turn has changed in the verification, unless a
 * message did.
 */
export const reportVerification = async (turn: Turn): Promise<void> => {
  const { person, services } = turn;
  if (!person || person.state === 'over') return;
  const reported = person.verification ?? ({ state: 'none' } satisfies VerificationState);
  if (isDeepStrictEqual(reported, verificationOf(turn))) return;
  await report(turn, { type: 'verification', key: `verification ${services.newId()}`, data: {} });
};

/**
 * Handles what a hub behind the channel reports about its handoff. Handoffs that this chat has not asked for change
 * nothing.
 */
export const handleHub = async (turn: Turn, goOn: (greeting: string) => Promise<void>): Promise<void> => {
  const { context, person, services, t } = turn;
  const status = handoffStatus(context.activity);
  // Another person may have had the chat in between.
  if (status === 'completed') endProofs(turn);
  if (!status || !person || person.state === 'over' || !services.handoffs?.isInChannel(person.hub)) return;
  switch (status) {
    case 'accepted':
      turn.person = (await services.handoffs.take(person.id, { id: person.hub })) ?? person;
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

/** Shows the agent that the customer is typing. */
export const showTyping = ({ person, services }: Turn): void => {
  if (person?.state === 'accepted') services.handoffs?.typing(person);
};

/** The customer no longer waits for an agent. */
export const cancelHandoff = async ({ person, services }: Turn): Promise<void> => {
  if (person && person.state !== 'over') await services.handoffs?.end(person.id, 'withdrawn', 'customer');
};

/**
 * The other side has ended the conversation, so nothing is said. Open requests go on, and their outcome is delivered
 * if the chat still takes it.
 */
export const leave = async (dc: DialogContext, turn: Turn) => {
  await dc.cancelAllDialogs();
  endProofs(turn);
  await cancelHandoff(turn);
};
