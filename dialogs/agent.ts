// Asking for a person, and saying honestly whether one comes.
import type { Escalation } from '../src/handoff/index.ts';
import { say } from './say.ts';
import type { Turn } from './turn.ts';

/** Escalates the chat and tells the customer what to expect. */
export const toAgent = async (turn: Turn, escalation: Escalation): Promise<void> => {
  const answer = await turn.services.handoff.escalate(turn.context, escalation);
  const { agentContact } = turn.services;
  if (answer === 'requested') await say(turn, turn.t('agent.requested'));
  else await say(turn, agentContact ? turn.t('agent.contact', { contact: agentContact }) : turn.t('agent.unavailable'));
};
