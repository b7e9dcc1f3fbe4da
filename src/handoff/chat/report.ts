// What agents are told of a chat: what the customer writes and sends, how requests ended, and who is verified.
import { isDeepStrictEqual } from 'node:util';
import { awaitsAgent, type Line, longestPassedOn, say, verificationOf, wordsIn } from '../../../dialogs/index.ts';
import type { Interaction } from '../../interactions/index.ts';
import { ownServiceUrl } from '../../platform/channels.ts';
import { maskPhoneNumber } from '../../platform/text/masks.ts';
import { withoutSecrets } from '../../platform/text/possible-codes.ts';
import { isSamePerson, stateAt, type VerificationState, withoutCustomer } from '../../verification/index.ts';
import type { HubEventDraft } from '../record.ts';
import type { Activity } from '../sdk.ts';
import type { AgentTurn } from './agent-turn.ts';

/**
 * Reports something to the hub together with the verification, which ends with the handoff. If it is about another
 * person than before, it says so.
 */
const report = async (turn: AgentTurn, event: HubEventDraft): Promise<void> => {
  const { handoffs, person, services } = turn;
  if (!person) return;
  if (person.state === 'over') return handoffs?.report(person, event);
  const before = stateAt(person, services.clock.now());
  const verification = verificationOf(turn);
  const another = verification.state === 'verified' && before.phone !== undefined && !isSamePerson(verification, before);
  const data = { ...event.data, verification, ...(another && { before: withoutCustomer(before) }) };
  await handoffs?.report(person, { ...event, data });
  turn.person = { ...person, verification };
};

/** Refuses words that are too long even for an agent; returns whether they were. */
export const isTooLong = async (turn: AgentTurn): Promise<boolean> => {
  const tooLong = (wordsIn(turn.input)?.length ?? 0) > longestPassedOn;
  if (tooLong) await say(turn, turn.t('agent.tooLong', { max: longestPassedOn }));
  return tooLong;
};

/**
 * Forwards the customer's message to the agent, without anything that may be a code or a card number. `false`: there
 * was nothing in it.
 */
export const forward = async (turn: AgentTurn): Promise<boolean> => {
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

/**
 * Reports to the agent who has the chat, or is waited for, what this turn has changed in the verification, unless a
 * message did.
 */
export const reportVerification = async (turn: AgentTurn): Promise<void> => {
  const { person, services } = turn;
  if (!person || person.state === 'over') return;
  const reported = person.verification ?? ({ state: 'none' } satisfies VerificationState);
  if (isDeepStrictEqual(reported, verificationOf(turn))) return;
  await report(turn, { type: 'verification', key: `verification ${services.newId()}`, data: {} });
};

/**
 * Shows the agents who may join what was said in a turn before anyone had joined. A customer who has left a message
 * does not wait: what they say afterwards is not shown.
 */
export const reportWaited = async (turn: AgentTurn, before: AgentTurn['person'], lines: readonly Line[]): Promise<void> => {
  const { context, handoffs, person, services } = turn;
  const { activity } = context;
  if (!person || !awaitsAgent(turn) || person.id !== before?.id || lines.length === 0) return;
  const name = activity.type === 'message' && activity.id ? activity.id : services.newId();
  await handoffs?.report(person, { type: 'waited', key: `waited ${name}`, data: { lines } });
};

/** Tells the agent how a request of this chat ended: while they have it, and later for requests begun before. */
export const reportOutcome = async (turn: AgentTurn, interaction: Interaction, ending: string): Promise<void> => {
  if (interaction.createdAt > (turn.person?.endedAt ?? Infinity)) return;
  const { agentId, blindLookup, app, customerRef, id, outcome, phoneNumber, requestId, state } = interaction;
  const status = outcome?.status ?? state;
  const named = requestId !== undefined && !(blindLookup && status !== 'success');
  const whom = { phone: maskPhoneNumber(phoneNumber), ...(named && { requestId, customerRef }) };
  const ended = { interactionId: id, app, status, ...whom, ...(agentId !== undefined && { agentId }) };
  await report(turn, { type: 'outcome', key: `outcome ${ending}`, data: { outcome: ended } });
};
