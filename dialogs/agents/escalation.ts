// Requests for an agent, from anywhere in the chat, and the alternatives if none can come.

import type { AppId } from '../../src/contract/index.ts';
import type { Escalation, HandoffCase } from '../../src/escalation/index.ts';
import { handoffStatus, transferCall } from '../../src/escalation/index.ts';
import type { ChannelProfile } from '../../src/platform/channels.ts';
import { shownConversation } from '../../src/verification/index.ts';
import { isHardship } from '../language/hardship.ts';
import type { DialogContext } from '../sdk.ts';
import { type Extras, say } from '../turn/activities.ts';
import type { AgentServices } from '../turn/services.ts';
import { awaitsAgent, hasAgent, type Turn } from '../turn/turn.ts';
import { verificationOf } from '../turn/verified.ts';
import { transcriptOf } from './agent-view.ts';
import { answerToOffer, offerMessage } from './left-message.ts';
import { forward, namedAgent } from './live-agent.ts';

/** Asks for an agent, passes on everything they should know, and tells the customer what to expect. */
export const toAgent = async (turn: Turn, escalation: Escalation, answer: NonNullable<Extras['answer']> = 'later'): Promise<void> => {
  const { channel, context, services, t } = turn;
  // A flow that the agent has begun may ask for one.
  if (hasAgent(turn)) return void (await say(turn, t('agent.here', { agent: namedAgent(turn) }), { answer }));
  if (turn.input.kind === 'text' && isHardship(turn.input.text, t)) await say(turn, t('agent.hardship'), { answer: 'later' });
  const { agentContact, handoffs, transfer } = services;
  if (transfer && channel.transfers) return passOn(turn, escalation, transfer, channel.transfers);
  if (!handoffs) {
    const asked = await services.handoff.escalate(context, await caseOf(turn, escalation));
    const words = agentContact ? t('agent.contact', { contact: agentContact }) : t('agent.unavailable');
    await say(turn, asked === 'requested' ? t('agent.requested') : words, { answer });
    return;
  }
  if (awaitsAgent(turn)) return void (await say(turn, t('agent.already'), { answer }));
  const { serviceUrl } = context.activity;
  const available = handoffs.availability({ ...escalation, language: t.language }, serviceUrl);
  if (available.kind === 'open') return request(turn, escalation, answer);
  const { opens } = available.kind === 'closed' ? available : {};
  const when =
    opens === undefined ? 'unknown' : t.date(opens) === t.date(services.clock.now()) ? t.time(opens) : `${t.date(opens)}, ${t.time(opens)}`;
  const sentence = withContact(turn, available.kind === 'closed' ? t('agent.closed', { when }) : t('agent.unavailable'));
  const message = handoffs.availability({ reason: 'message', language: t.language }, serviceUrl);
  if (message.kind === 'none') await say(turn, sentence, { answer });
  else await offerMessage(turn, sentence);
};

/** Transfers a caller to an agent, with what the caller has proved. */
const passOn = async (
  turn: Turn,
  escalation: Escalation,
  { to, prove }: NonNullable<AgentServices['transfer']>,
  by: NonNullable<ChannelProfile['transfers']>,
): Promise<void> => {
  const about = await caseOf(turn, escalation);
  const conversation = shownConversation(turn.services.chatOf(turn.context.activity).conversation);
  await say(turn, turn.t('speech.transferring'), { answer: 'later' });
  await transferCall(turn.context, about, to, by, { conversation, assertion: await prove(about.verification, conversation) });
  turn.memory.transferring = true;
  turn.transferred = true;
};

/** Handles a transfer's result; `false` if there was none. A call that was accepted stays with the agent. */
export const handleTransfer = async (turn: Turn, goOn: (greeting: string) => Promise<void>): Promise<boolean> => {
  const { context, memory, t } = turn;
  if (!memory.transferring) return false;
  const status = handoffStatus(context.activity);
  if (status === 'failed') {
    delete memory.transferring;
    await goOn(t('speech.transferFailed'));
  }
  return true;
};

const request = async (turn: Turn, escalation: Escalation, answer: NonNullable<Extras['answer']>, note?: string): Promise<void> => {
  const { context, memory, services, t } = turn;
  const about = await caseOf(turn, escalation, note);
  const asked = await services.handoffs?.request(context, services.chatOf(context.activity), about, memory.person?.id);
  if (!asked)
    return void (await say(turn, withContact(turn, t(note === undefined ? 'agent.unavailable' : 'agent.messageLost')), { answer }));
  const { record, added } = asked;
  // Whoever has left a message and now asks for a person waits for one.
  const waits = !added && record.reason === 'message' && note === undefined;
  if (memory.person?.id !== record.id) memory.person = { id: record.id };
  if (waits) memory.person = { ...memory.person, waits };
  turn.person = record;
  if (note !== undefined && !added) await forward(turn);
  const said = note === undefined ? (added ? 'requested' : 'already') : added ? 'messageTaken' : 'messageAdded';
  await say(turn, t(`agent.${said}`), { answer, ...(note !== undefined && { quick: [t('cards.buttons.menu')] }) });
  turn.initiate = asked.initiate;
};

/** The sentence, and where else people can be reached. */
const withContact = ({ services: { agentContact }, t }: Turn, sentence: string): string =>
  agentContact ? `${sentence} ${t('agent.instead', { contact: agentContact })}` : sentence;

/** An agent joins unasked and gets everything that a requested agent gets. */
export const bringIn = async (turn: Turn, app: AppId | undefined, into: { readonly hub: string; readonly id: string }) => {
  const { context, memory, services } = turn;
  const about = await caseOf(turn, { reason: 'taken', ...(app && { app }) });
  return (await services.handoffs?.request(context, services.chatOf(context.activity), about, memory.person?.id, into))?.record;
};

/**
 * Takes the answer to the offer of leaving a message, and the message itself; `false` if the input is about something
 * else. `goBack` shows what was asked before.
 */
export const takesMessage = async (dc: DialogContext, turn: Turn, goBack: () => Promise<unknown>): Promise<boolean> => {
  const { memory, t } = turn;
  const answer = await answerToOffer(dc, turn);
  if (answer === undefined) return false;
  if (answer === 'repeat') await say(turn, t('agent.leaveMessage'), { answer: 'expected' });
  else if (answer === 'leave') {
    memory.message = { leave: '', back: '', asked: true };
    await say(turn, t('agent.askMessage'), { answer: 'expected' });
  } else if (answer === 'back') {
    delete memory.message;
    await goBack();
  } else if (answer !== 'tooLong') await request(turn, { reason: 'message' }, 'welcome', answer.note);
  return true;
};

/** Everything that the agent is given. A message is not repeated in what was said before. */
const caseOf = async (turn: Turn, escalation: Escalation, note?: string): Promise<HandoffCase> => {
  const { context, memory, services, t } = turn;
  memory.vouchedFor ??= await services.callerNumber(context.activity);
  const verification = verificationOf(turn);
  const waiting = await services.interactions.waitingIn(services.chatOf(context.activity).conversation);
  // If the chat may not learn whether there is a request, the request has no name.
  const open = waiting.flatMap(({ blindLookup, requestId }) => (blindLookup || requestId === undefined ? [] : [requestId]));
  const proof = verification.state === 'verified' ? [verification.requestId] : [];
  return {
    ...escalation,
    language: t.language,
    verification,
    requestIds: [...new Set([...(memory.requests ?? []), ...proof, ...open])],
    transcript: transcriptOf(note === undefined ? turn : { ...turn, input: { kind: 'none' } }),
    ...(note !== undefined && { note }),
  };
};
