// The desk's figures of the last 24 hours, for supervisors; they identify no customer.

import type { HandoffRecord } from '../escalation/index.ts';
import type { HandoffStore } from '../handoff/index.ts';
import type { Clock } from '../platform/time/clock.ts';

export interface Overview {
  /** Conversations that nobody has taken, and how long (ms) the first of them has waited. */
  readonly waiting: number;
  readonly longest: number;
  /** Conversations that an agent has, and those whose agent is not at the desk. */
  readonly taken: number;
  readonly absent: number;
  /** Of the last day: how long (ms) customers waited for an agent's first words, as median and 90th percentile. */
  readonly firstResponse: { readonly median: number; readonly slow: number; readonly count: number };
  readonly conversations: number;
  /** How many of them ended before an agent came. */
  readonly abandoned: number;
  /** How many of them were verified at any time. */
  readonly verified: number;
  /** By hour, the oldest first. */
  readonly hours: readonly { readonly at: number; readonly asked: number; readonly taken: number }[];
  /** Outcomes of apps in the agents' conversations. */
  readonly outcomes: readonly { readonly app: string; readonly status: string; readonly count: number }[];
  /** The codes with which conversations were finished. */
  readonly wrapUps: readonly { readonly code: string; readonly count: number }[];
}

export interface Overviews {
  today(): Promise<Overview>;
}

const hour = 3_600_000;
const hours = 24;
const most = 5000;

/** @param isThere - whether the agent of that id is at the desk */
export const makeOverviews = (
  store: Pick<HandoffStore, 'figures' | 'outcomes' | 'since'>,
  hub: string,
  clock: Clock,
  isThere: (agent: string) => boolean,
): Overviews => ({
  today: async () => {
    const now = clock.now();
    const first = Math.floor(now / hour) * hour - (hours - 1) * hour;
    const [all, outcomes, figures] = await Promise.all([
      store.since(hub, first, most),
      store.outcomes(hub, first),
      store.figures(hub, first),
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
      waiting: open.length,
      longest: open.reduce((longest, { createdAt }) => Math.max(longest, now - createdAt), 0),
      taken: taken.length,
      absent: taken.filter(({ agent }) => agent && !isThere(agent.id)).length,
      firstResponse: { median: at(0.5), slow: at(0.9), count: waits.length },
      conversations: all.length,
      abandoned: all.filter(({ acceptedAt, state }) => state === 'over' && acceptedAt === undefined).length,
      verified: all.filter(({ id }) => figures.get(id)?.verified).length,
      hours: Array.from({ length: hours }, (_, index) => {
        const from = first + index * hour;
        const within = ({ createdAt }: HandoffRecord) => createdAt >= from && createdAt < from + hour;
        const asked = all.filter(within);
        return { at: from, asked: asked.length, taken: asked.filter(({ acceptedAt }) => acceptedAt !== undefined).length };
      }),
      outcomes,
      wrapUps: [
        ...Map.groupBy(
          all.flatMap(({ wrapUp }) => wrapUp ?? []),
          (code) => code,
        ),
      ].map(([code, { length: count }]) => ({ code, count })),
    };
  },
});
