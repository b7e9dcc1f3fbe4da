// Agents who have a chat and are not at the desk: after some minutes their chats go back to the queue. What counts is
// who is there now (presence.ts), so after a restart the minutes begin anew.

import type { HandoffRecord } from '../handoff/index.ts';
import { faultFields } from '../platform/log.ts';
import { deskTopic } from './board.ts';
import type { DeskContext } from './context.ts';
import type { Presence } from './presence.ts';

/** How often (ms) it is looked at. The database is read only after something has changed. */
const lookMs = 10_000;

/** Handoffs that are read at a time. */
const most = 1000;

/** Watches over the agents' chats until it is closed. Every process does; the chat's turn lets one of them act. */
export const watchAbsences = ({ hub, agents, handoffs, bus, clock, log, absentMs }: DeskContext, presence: Presence) => {
  let taken: readonly HandoffRecord[] = [];
  let isStale = true;
  /** Since when each agent has been missed (epoch ms). */
  const missed = new Map<string, number>();
  const stale = () => {
    isStale = true;
  };
  const forgets = [bus.subscribe(deskTopic, stale), presence.subscribe(stale)];

  const look = async () => {
    if (isStale) {
      isStale = false;
      taken = (await handoffs.list(hub.name, most)).filter(({ state }) => state === 'accepted');
    }
    const now = clock.now();
    const there = new Set(presence.colleagues().map(({ id }) => id));
    const absent = new Set(taken.flatMap(({ agent }) => (agent && !there.has(agent.id) ? [agent.id] : [])));
    for (const id of missed.keys()) if (!absent.has(id)) missed.delete(id);
    for (const id of absent) if (!missed.has(id)) missed.set(id, now);
    const due = taken.filter(({ agent }) => agent && now - (missed.get(agent.id) ?? now) >= absentMs);
    for (const handoff of due) {
      const { agent } = handoff;
      if (agent) await agents.act(handoff, { kind: 'release', agent });
      stale();
    }
  };

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch((fault: unknown) => {
        stale();
        log.warn({ ...faultFields(fault), component: 'desk' }, 'the chats of absent agents could not be given back');
      })
      .finally(() => {
        looking = undefined;
      });
  }, lookMs);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      for (const forget of forgets) forget();
      await looking;
    },
  };
};
