// What follows when the open dialogs of a chat were dropped, because another version wrote them (decision 0153).

import { endFlow } from '../agents/agent-flow.ts';
import { hasAgent } from '../agents/live-agent.ts';
import { endSkill } from '../hosts/skill.ts';
import { type DialogContext, type DialogState, DialogTurnStatus } from '../sdk.ts';
import { say } from '../turn/activities.ts';
import { isSkill, type Turn } from '../turn/turn.ts';

/** Tells everybody in the chat that its open dialogs are gone, and counts the end of a flow among them. */
export const reportDropped = async (turn: Turn, dropped: DialogState): Promise<void> => {
  const ending = turn.services.flows?.dropped(turn.context, dropped);
  await endFlow(turn, { status: DialogTurnStatus.complete, result: ending });
  if (!hasAgent(turn)) await say(turn, turn.t('conversation.outdated'), { answer: 'later' });
};

/**
 * Takes the turn, and ends a root bot's action whose dialogs were dropped: nothing else would tell the root bot. Outcomes
 * and the root bot's own events come first, since it may begin or end something itself; words were an answer to what is
 * gone.
 */
export const endDropped = async (dc: DialogContext, turn: Turn, dropped: object | undefined, take: () => Promise<void>): Promise<void> => {
  if (!dropped || !isSkill(turn)) return take();
  if (turn.context.activity.type !== 'message') await take();
  if (dc.activeDialog || hasAgent(turn) || turn.memory.skill?.over) return;
  await endSkill(dc, turn, { status: 'failure', reason: 'outdated' });
};
