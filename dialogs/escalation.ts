// Requests for an agent, from anywhere in the chat, and the alternatives if none can come.

import type { AppId } from '../src/contract/index.ts';
import type { Escalation, HandoffCase } from '../src/handoff/index.ts';
import { handoffStatus, transferCall } from '../src/handoff/index.ts';
import type { ChannelProfile } from '../src/platform/channels.ts';
import { withoutSecrets } from '../src/platform/without-secrets.ts';
import { shownConversation } from '../src/verification/index.ts';
import { type Extras, say } from './activities.ts';
import { transcriptOf } from './agent-view.ts';
import { isOn, namedAgent } from './person.ts';
import { bareCommandIn, isNegated } from './recogniser.ts';
import type { Services, Turn } from './turn.ts';
import { standingOf } from './verified.ts';
import { phrasesOf, wholly, wordsSaid } from './words.ts';

/** Asks for an agent, passes on everything they should know, and tells the customer what to expect. */
export const toAgent = async (turn: Turn, escalation: Escalation, answer: NonNullable<Extras['answer']> = 'later'): Promise<void> => {
  const { channel, context, services, t } = turn;
  // A flow that the agent has begun may ask for one.
  if (isOn(turn)) return void (await say(turn, t('agent.here', { agent: namedAgent(turn) }), { answer }));
  const { agentContact, handoffs, transfer } = services;
  if (transfer && channel.transfers) return passOn(turn, escalation, transfer, channel.transfers);
  if (!handoffs) {
    const asked = await services.handoff.escalate(context, await caseOf(turn, escalation));
    const words = agentContact ? t('agent.contact', { contact: agentContact }) : t('agent.unavailable');
    await say(turn, asked === 'requested' ? t('agent.requested') : words, { answer });
    return;
  }
  const available = handoffs.availability({ ...escalation, language: t.language });
  if (available.kind === 'open') return request(turn, escalation, answer);
  const { opens } = available.kind === 'closed' ? available : {};
  const when =
    opens === undefined ? 'unknown' : t.date(opens) === t.date(services.clock.now()) ? t.time(opens) : `${t.date(opens)}, ${t.time(opens)}`;
  const sentence = available.kind === 'closed' ? t('agent.closed', { when }) : t('agent.unavailable');
  const elsewhere = agentContact ? [t('agent.instead', { contact: agentContact })] : [];
  await offerMessage(turn, [sentence, ...elsewhere].join(' '));
};

/** Transfers a caller to an agent, with what the caller has proved. */
const passOn = async (
  turn: Turn,
  escalation: Escalation,
  { to, prove }: NonNullable<Services['transfer']>,
  by: NonNullable<ChannelProfile['transfers']>,
): Promise<void> => {
  const about = await caseOf(turn, escalation);
  const conversation = shownConversation(turn.services.chatOf(turn.context.activity).conversation);
  await say(turn, turn.t('speech.transferring'), { answer: 'later' });
  await transferCall(turn.context, about, { to, by, place: { conversation, assertion: await prove(about.verification, conversation) } });
  turn.memory.transferring = true;
  turn.transferred = true;
};

/** Handles a transfer's result; `false` if there was none. A call that was accepted stays with the agent. */
export const heedTransfer = async (turn: Turn, goOn: (greeting: string) => Promise<void>): Promise<boolean> => {
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
  const about = { ...(await caseOf(turn, escalation)), ...(note !== undefined && { note }) };
  const asked = await services.handoffs?.request(context, services.chatOf(context.activity), about, memory.person?.id);
  if (!asked) return offerMessage(turn, t('agent.unavailable'));
  const { record, added } = asked;
  if (memory.person?.id !== record.id) memory.person = { id: record.id };
  turn.person = record;
  await say(turn, t(note !== undefined ? 'agent.messageTaken' : added ? 'agent.requested' : 'agent.already'), { answer });
};

/** An agent joins unasked and gets everything that a requested agent gets. */
export const bringIn = async (turn: Turn, app: AppId | undefined, into: { readonly hub: string; readonly id: string }) => {
  const { context, memory, services } = turn;
  const about = await caseOf(turn, { reason: 'taken', ...(app && { app }) });
  return (await services.handoffs?.request(context, services.chatOf(context.activity), about, memory.person?.id, into))?.record;
};

/** Says that no agent is coming, and offers to take a message for later. */
export const offerMessage = async (turn: Turn, sentence: string): Promise<void> => {
  turn.memory.message = 'offered';
  const offer = turn.t('agent.leaveMessage');
  await say(turn, `${sentence} ${offer}`, { quick: [turn.t('cards.buttons.message')] });
};

/** Takes the answer to that offer, and the message itself; `false` if the input is about something else. */
export const takesMessage = async (turn: Turn): Promise<boolean> => {
  const { input, memory, t } = turn;
  const { message } = memory;
  if (message === undefined || input.kind === 'none') return false;
  delete memory.message;
  if (input.kind !== 'text') return false;
  if (message === 'offered') {
    const said = wordsSaid(input.text, t, ['phrases.please', 'phrases.courtesy']);
    if (!wholly(said, ['leaveMessage'] as const, (name) => phrasesOf(t, `phrases.${name}`))) return false;
    memory.message = 'asked';
    await say(turn, t('agent.askMessage'));
    return true;
  }
  if (bareCommandIn(input.text, t) || isNegated(input.text, t)) return false;
  await request(turn, { reason: 'message' }, 'welcome', withoutSecrets(input.text));
  return true;
};

/** Everything that the agent is given. */
const caseOf = async (turn: Turn, escalation: Escalation): Promise<HandoffCase> => {
  const { context, memory, services, t } = turn;
  const verification = standingOf(turn);
  const waiting = await services.interactions.waitingIn(services.chatOf(context.activity).conversation);
  // If the chat may not learn whether there is a request, the request has no name.
  const open = waiting.flatMap(({ alike, requestId }) => (alike || requestId === undefined ? [] : [requestId]));
  const proof = verification.state === 'verified' ? [verification.requestId] : [];
  return {
    ...escalation,
    language: t.language,
    verification,
    requestIds: [...new Set([...(memory.requests ?? []), ...proof, ...open])],
    transcript: transcriptOf(turn),
  };
};
