// How requests ended over time, counted by periods. Counts of past periods are cached.
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Span } from '../calendar.ts';
import type { EndingCount, Reports } from '../reports.ts';

/** The kinds of endings, in the order in which charts stack them. */
export const endings = ['success', 'failure', 'timeout', 'cancelled'] as const;
export type EndingState = (typeof endings)[number];

/** Counts by ending. */
export type Counts = Readonly<Record<EndingState, number>>;

export type CountOutcomes = ReturnType<typeof makeCountOutcomes>;

/** An ending carries the time at which storing it began: this much (ms) later, all endings of a period are stored. */
const settledMs = 5 * 60_000;

export const makeCountOutcomes = (reports: Pick<Reports, 'endings'>) => {
  const known = new LRUCache<string, readonly EndingCount[]>({ max: 500 });
  const countsOf = async ({ from, until }: Span, now: number) => {
    const key = `${from} ${until}`;
    const before = known.get(key);
    if (before) return before;
    // The embedded database blocks the process while it answers, so customers are served between two periods.
    await setImmediate();
    const counted = await reports.endings(from, until);
    if (until + settledMs < now) known.set(key, counted);
    return counted;
  };
  /** Counts of each period, in the order given. */
  return async (spans: readonly Span[], now: number) => {
    const all: (readonly EndingCount[])[] = [];
    for (const span of spans) all.push(await countsOf(span, now));
    return all;
  };
};

/** The sum of the counts selected by `which`, by ending. */
export const sumOf = (counts: readonly EndingCount[], which: (count: EndingCount) => boolean): Counts => {
  const sum = { success: 0, failure: 0, timeout: 0, cancelled: 0 };
  for (const one of counts) {
    const state = endings.find((ending) => ending === one.state);
    if (state && which(one)) sum[state] += one.count;
  }
  return sum;
};

export const totalOf = (counts: Counts): number => endings.reduce((sum, ending) => sum + counts[ending], 0);
