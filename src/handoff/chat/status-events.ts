// What the channel reports of a handoff: by a hub that is behind it, or of a call that is being transferred.
import { z } from 'zod';
import { endProofs, goOnWithBot } from '../../../dialogs/index.ts';
import type { Activity, DialogContext } from '../sdk.ts';
import { type AgentTurn, partWith } from './agent-turn.ts';

const status = z.object({ state: z.enum(['accepted', 'failed', 'completed']) });
type Status = z.output<typeof status>['state'];

/** What an activity says about a handoff; `undefined`: nothing. */
export const handoffStatus = ({ type, name, value }: Partial<Activity>): Status | undefined =>
  type === 'event' && name === 'handoff.status' ? status.safeParse(value).data?.state : undefined;

/**
 * Handles it. A call that was accepted stays with the agent. Handoffs that this chat has not asked for change nothing.
 */
export const handleStatus = async (dc: DialogContext, turn: AgentTurn, state: Status): Promise<unknown> => {
  const { handoffs, memory, person, t } = turn;
  if (memory.transferring) {
    if (state !== 'failed') return;
    delete memory.transferring;
    return goOnWithBot(dc, t('speech.transferFailed'));
  }
  // Another person may have had the chat in between.
  if (state === 'completed') endProofs(turn);
  if (!person || person.state === 'over' || !handoffs?.isInChannel(person.hub)) return;
  switch (state) {
    case 'accepted':
      turn.person = (await handoffs.take(person.id, { id: person.hub })) ?? person;
      return;
    case 'failed':
      turn.person = await handoffs.end(person.id, 'failed', 'hub');
      return goOnWithBot(dc, t('agent.failed'));
    case 'completed':
      turn.person = await handoffs.end(person.id, 'finished', 'hub');
      partWith(turn);
      return goOnWithBot(dc, t('agent.finished', { agent: 'none' }));
    default:
      return state satisfies never;
  }
};
