// Requests for an agent, from anywhere in the chat: agents who join it if there are any, or the bot's own way to ask for
// one.
import { isHardship } from '../language/hardship.ts';
import { type Extras, say } from '../turn/activities.ts';
import { hasAgent, type Turn } from '../turn/turn.ts';
import { verificationOf } from '../turn/verified.ts';
import type { Escalation, HandoffCase } from './case.ts';

/** Asks for an agent, passes on everything they should know, and tells the customer what to expect. */
export const toAgent = async (turn: Turn, escalation: Escalation, answer: NonNullable<Extras['answer']> = 'later'): Promise<void> => {
  const { context, input, t } = turn;
  const { agentContact, agents, handoff } = turn.services;
  if (input.kind === 'text' && isHardship(input.text, t) && !hasAgent(turn)) await say(turn, t('agent.hardship'), { answer: 'later' });
  if (await agents?.ask(turn, escalation, answer)) return;
  const asked = await handoff?.escalate(context, await caseOf(turn, escalation));
  const words = agentContact ? t('agent.contact', { contact: agentContact }) : t('agent.unavailable');
  await say(turn, asked === 'requested' ? t('agent.requested') : words, { answer });
};

/** What the agent is given, besides what was said. */
export const caseOf = async (turn: Turn, escalation: Escalation): Promise<HandoffCase> => {
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
    transcript: [],
  };
};
