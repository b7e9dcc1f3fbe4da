// Forgetting, now and then, for as long as the bot runs.
import { faultFields, type Log } from '../platform/log.ts';
import { sleep } from '../platform/sleep.ts';
import type { Retention } from '../storage/index.ts';

export interface HousekeepingOptions {
  readonly retention: Retention;
  readonly days: number;
  readonly random: () => number;
  readonly log: Log;
}

/** Milliseconds between two rounds: about an hour, never the same for two replicas that started together. */
const between = 3_600_000;

/** Purges now and about every hour, until `stop` aborts. Never throws: what could not be removed is removed in the next round. */
export const keepHouse = async ({ retention, days, random, log }: HousekeepingOptions, stop: AbortSignal): Promise<void> => {
  do {
    try {
      const removed = await retention.purge(days, stop);
      for (const [component, count] of Object.entries(removed))
        if (count > 0) log.info({ component, count }, 'rows past their time were removed');
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'retention' }, 'rows past their time could not be removed');
    }
  } while (await sleep(between * (0.5 + random()), stop));
};
