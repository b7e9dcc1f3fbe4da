// Requests for an agent by way of a hub.
import { caseOf, type Escalation, type Extras, say } from '../../../dialogs/index.ts';
import type { AgentTurn } from './agent-turn.ts';
import { transcriptOf } from './agent-view.ts';
import { forward } from './report.ts';

/**
 * Requests an agent, passes on everything they should know, and tells the customer what to expect.
 * @param note - the message that the customer leaves for agents who are not there
 */
export const requestAgent = async (
  turn: AgentTurn,
  escalation: Escalation,
  answer: NonNullable<Extras['answer']>,
  note?: string,
): Promise<void> => {
  const { memory, t } = turn;
  const asked = await requested(turn, escalation, note);
  if (!asked) {
    await say(turn, withContact(turn, t(note === undefined ? 'agent.unavailable' : 'agent.messageLost')), { answer });
    return;
  }
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

/**
 * Stores the request with everything that the agent is given. A message is not repeated in what was said before.
 * @param into - the hub whose agent joins, and the new record's id
 */
export const requested = async (
  turn: AgentTurn,
  escalation: Escalation,
  note?: string,
  into?: { readonly hub: string; readonly id: string },
) => {
  const { context, handoffs, memory, services } = turn;
  const about = {
    ...(await caseOf(turn, escalation)),
    transcript: transcriptOf(note === undefined ? turn : { ...turn, input: { kind: 'none' } }),
    ...(note !== undefined && { note }),
  };
  return handoffs?.request(context, services.chatOf(context.activity), about, memory.person?.id, into);
};

/** The sentence, and where else agents can be reached. */
export const withContact = ({ services: { agentContact }, t }: AgentTurn, sentence: string): string =>
  agentContact ? `${sentence} ${t('agent.instead', { contact: agentContact })}` : sentence;
