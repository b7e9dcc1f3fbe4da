// Retention: removes expired data, such as requests with everything that belongs to them, and quotas.

import { setImmediate as turn } from 'node:timers/promises';
import { faultFields } from '../../platform/log.ts';
import { sleep } from '../../platform/time/waits.ts';
import type { ServiceContext } from './context.ts';

/** Rows that are removed past their time, in batches. */
export interface RetentionStep {
  /** Rows per batch, so that others do not wait long. */
  readonly limit: number;
  /** Removes a batch of what is past its time. Resolves to the number of rows. */
  readonly forget: (now: number, limit: number) => Promise<number>;
  /** Logged with the number, if there were any. */
  readonly removed?: string;
}

const day = 24 * 60 * 60_000;
/** Milliseconds between two runs: about an hour, and different for replicas that started together. */
const between = 3_600_000;
/** Requests per transaction: each has an audit trail of its own. */
const requestsAtOnce = 50;
const component = 'retention';

/**
 * Removes expired data now and about every hour. A failure is retried in the next run.
 * @param others - what other parts of the service remove
 * @param requestDays - how many days a request is kept after it has ended
 */
export const startHousekeeping = (
  { storage: { retention }, clock, log }: ServiceContext,
  others: readonly RetentionStep[],
  requestDays = 365,
) => {
  const before = (now: number) => now - requestDays * day;
  const steps: readonly RetentionStep[] = [
    ...others,
    {
      limit: requestsAtOnce,
      forget: (now, limit) => retention.forgetRequests(before(now), limit, now),
      removed: 'requests past their time were emptied',
    },
  ];
  const stop = new AbortController();
  /** Works in batches, yielding in between, until a batch is not full. */
  const all = async (limit: number, part: () => Promise<number>) => {
    let count = 0;
    for (let gone = limit; gone === limit && !stop.signal.aborted; ) {
      gone = await part();
      count += gone;
      await turn();
    }
    return count;
  };
  const round = async () => {
    const now = clock.now();
    for (const { limit, forget, removed } of steps) {
      const count = await all(limit, () => forget(now, limit));
      if (count > 0 && removed) log.info({ component, count }, removed);
    }
    await retention.forgetRest(before(now), now);
  };
  const keep = async () => {
    do {
      await round().catch((fault: unknown) => log.warn({ ...faultFields(fault), component }, 'what is past its time could not be removed'));
    } while (await sleep(between * (0.5 + Math.random()), stop.signal));
  };
  const running = keep();
  return {
    /** Stops after the current batch. */
    close: async () => {
      stop.abort();
      await running;
    },
  };
};
