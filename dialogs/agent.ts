// Asking for a person, and saying honestly whether one comes.
import { type Activity, TurnContext } from 'botbuilder';
import { type Escalation, standing } from '../src/handoff/index.ts';
import { iso } from '../src/platform/clock.ts';
import type { Choice } from './question.ts';
import { phrasesOf } from './recogniser.ts';
import { say } from './say.ts';
import type { Turn } from './turn.ts';

/** Escalates the chat, with who is verified in it, and tells the customer what to expect. */
export const toAgent = async (turn: Turn, escalation: Escalation): Promise<void> => {
  const verified = verifiedIn(turn);
  const answer = await turn.services.handoff.escalate(turn.context, { ...escalation, ...(verified.length > 0 && { verified }) });
  const { agentContact } = turn.services;
  if (answer === 'requested') await say(turn, turn.t('agent.requested'));
  else await say(turn, agentContact ? turn.t('agent.contact', { contact: agentContact }) : turn.t('agent.unavailable'));
};

/** A person as something to choose, where one can be reached. Asking for one in words is answered in any case. */
export const personChoice = ({ services, t }: Pick<Turn, 'services' | 't'>): readonly Choice<'agent'>[] =>
  services.person ? [{ title: t('cards.buttons.person'), value: 'agent', phrases: phrasesOf(t, 'phrases.agent') }] : [];

const verifiedIn = ({ context, memory, services }: Turn): NonNullable<Escalation['verified']> =>
  standing(memory, TurnContext.getConversationReference(context.activity), services.clock.now()).map(
    ({ method, customerRef, requestId, at, until }) => ({ method, customerRef, requestId, since: iso(at), until: iso(until) }),
  );

/** The hub gives the chat back to the bot (learn.microsoft.com, "Handoff protocol": `handoff.status` with the state `completed`). */
export const isHandBack = ({ type, name, value }: Partial<Activity>): boolean =>
  type === 'event' && name === 'handoff.status' && value?.state === 'completed';
