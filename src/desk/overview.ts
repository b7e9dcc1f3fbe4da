// The desk's figures of the last 24 hours, for supervisors; they identify no customer.

import type { HandoffRecord } from '../handoff/index.ts';
import type { DeskContext } from './context.ts';

const hour = 3_600_000;
const hours = 24;
const most = 5000;

export type Overview = Awaited<ReturnType<typeof overviewOf>>;

/** @param isThere - whether the agent of that id is at the desk */
export const overviewOf = async ({ handoffs, clock }: DeskContext, hub: string, isThere: (agent: string) => boolean) => {
  const now = clock.now();
  const first = Math.floor(now / hour) * hour - (hours - 1) * hour;
  const [all, outcomes, figures] = await Promise.all([
    handoffs.since(hub, first, most),
    handoffs.outcomes(hub, first),
    handoffs.figures(hub, first),
  ]);
  const open = all.filter(({ state }) => state === 'requested');
  const taken = all.filter(({ state }) => state === 'accepted');
  const waits = all
    .flatMap(({ createdAt, id, reason }) => {
      const { firstSaid } = figures.get(id) ?? {};
      return firstSaid === undefined || reason === 'message' || reason === 'taken' ? [] : [firstSaid - createdAt];
    })
    .sort((one, other) => one - other);
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0;
  return {
    /** Conversations that nobody has taken, and how long (ms) the first of them has waited. */
    waiting: open.length,
    longest: open.reduce((longest, { createdAt }) => Math.max(longest, now - createdAt), 0),
    /** Conversations that an agent has, and those whose agent is not at the desk. */
    taken: taken.length,
    absent: taken.filter(({ agent }) => agent && !isThere(agent.id)).length,
    /** Of the last day: how long (ms) customers waited for an agent's first words, as median and 90th percentile. */
    firstResponse: { median: at(0.5), slow: at(0.9), count: waits.length },
    conversations: all.length,
    /** How many of them ended before an agent came. */
    abandoned: all.filter(({ acceptedAt, state }) => state === 'over' && acceptedAt === undefined).length,
    /** How many of them were verified at any time. */
    verified: all.filter(({ id }) => figures.get(id)?.verified).length,
    /** By hour, the oldest first. */
    hours: Array.from({ length: hours }, (_, index) => {
      const from = first + index * hour;
      const within = ({ createdAt }: HandoffRecord) => createdAt >= from && createdAt < from + hour;
      const asked = all.filter(within);
      return { at: from, asked: asked.length, taken: asked.filter(({ acceptedAt }) => acceptedAt !== undefined).length };
    }),
    /** Outcomes of apps in the agents' conversations. */
    outcomes,
    /** The codes with which conversations were finished. */
    wrapUps: [
      ...Map.groupBy(
        all.flatMap(({ wrapUp }) => wrapUp ?? []),
        (code) => code,
      ),
    ].map(([code, { length: count }]) => ({ code, count })),
  };
};
