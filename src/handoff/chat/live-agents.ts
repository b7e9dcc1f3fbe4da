// Live agents as the conversation sees them: the port of the dialogs (dialogs/turn/live-agents.ts).
import { hasAgent, type Services, say } from '../../../dialogs/index.ts';
import { actIn } from '../agent-act.ts';
import type { HandoffsEngine } from '../handoffs.ts';
import { obeyAgent } from './agent-acts.ts';
import { besideFlow, endFlow } from './agent-flow.ts';
import { type AgentTurn, findHandoff, namedAgent } from './agent-turn.ts';
import { keepNotes, runningIn } from './agent-view.ts';
import { offerMessage, takesMessage, takesNote } from './left-message.ts';
import { relayToAgent } from './relay.ts';
import { reportOutcome, reportVerification, reportWaited } from './report.ts';
import { requestAgent, withContact } from './request.ts';
import { handleStatus, handoffStatus } from './status-events.ts';
import { type CallTransfer, transferCaller } from './transfer.ts';

/**
 * @param handoffs - unset: no hub is configured
 * @param transfer - unset: calls are not transferred
 */
export const makeLiveAgents = (
  handoffs: HandoffsEngine | undefined,
  transfer: CallTransfer | undefined,
): NonNullable<Services['agents']> => ({
  canCome: (serviceUrl, call) => (call && transfer !== undefined) || handoffs?.canCome(serviceUrl),

  state: ({ memory, person }: Pick<AgentTurn, 'memory' | 'person'>) => {
    if (person?.state === 'accepted') return 'joined';
    // Whoever has left a message does not wait.
    if (person?.state === 'requested' && (person.reason !== 'message' || memory.person?.waits)) return 'awaited';
    return memory.message && 'offered';
  },

  starter: ({ memory }: Pick<AgentTurn, 'memory'>) => memory.person?.flow?.agentId,

  beside: async (dc, turn: AgentTurn, run) => {
    turn.handoffs = handoffs;
    if (turn.memory.person) await findHandoff(turn);
    const { person } = turn;
    await besideFlow(dc, turn, run);
    if (!handoffs) return undefined;
    await reportVerification(turn);
    await reportWaited(turn, person, keepNotes(turn));
    await turn.initiate?.();
    return runningIn(dc, turn);
  },

  acts: async (dc, turn: AgentTurn) => {
    const { activity } = turn.context;
    const acting = actIn(turn.context);
    const status = handoffStatus(activity);
    if (acting) acting.result = await obeyAgent(dc, turn, acting);
    else if (status) await handleStatus(dc, turn, status);
    else if (activity.type === 'typing' && turn.person?.state === 'accepted') handoffs?.typing(turn.person);
    return acting !== undefined || status !== undefined;
  },

  takes: async (dc, turn: AgentTurn) => {
    if (!hasAgent(turn)) return (await takesMessage(dc, turn)) || takesNote(dc, turn);
    await relayToAgent(dc, turn);
    return true;
  },

  ask: async (turn: AgentTurn, escalation, answer) => {
    const { channel, context, services, t } = turn;
    const state = services.agents?.state(turn);
    // A flow that the agent has begun may ask for one.
    if (state === 'joined') await say(turn, t('agent.here', { agent: namedAgent(turn) }), { answer });
    else if (transfer && channel.transfers) await transferCaller(turn, escalation, transfer, channel.transfers);
    else if (!handoffs) return false;
    else if (state === 'awaited') await say(turn, t('agent.already'), { answer });
    else {
      const { language } = t;
      const { serviceUrl } = context.activity;
      const available = handoffs.availability({ ...escalation, language }, serviceUrl);
      if (available.kind === 'open') await requestAgent(turn, escalation, answer);
      else {
        const sentence = withContact(
          turn,
          available.kind === 'closed' ? t('agent.closed', { when: opensIn(turn, available.opens) }) : t('agent.unavailable'),
        );
        const takesMessages = handoffs.availability({ reason: 'message', language }, serviceUrl).kind !== 'none';
        await (takesMessages ? offerMessage(turn, sentence) : say(turn, sentence, { answer }));
      }
    }
    return true;
  },

  ended: endFlow,

  outcome: reportOutcome,

  leave: async (turn: AgentTurn) => {
    turn.left = true;
    if (turn.person && turn.person.state !== 'over') await handoffs?.end(turn.person.id, 'withdrawn', 'customer');
  },
});

/** When agents are back, in words. */
const opensIn = ({ services, t }: AgentTurn, opens: number | undefined): string => {
  if (opens === undefined) return 'unknown';
  return t.date(opens) === t.date(services.clock.now()) ? t.time(opens) : `${t.date(opens)}, ${t.time(opens)}`;
};
