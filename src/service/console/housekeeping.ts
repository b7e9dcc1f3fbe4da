// Forgetting what the console need not know any more: accesses past their time, sessions and sign-ins that are over.
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { sleep } from '../../platform/sleep.ts';
import type { Storage } from '../store/index.ts';

export interface HousekeepingOptions {
  readonly storage: Pick<Storage, 'console' | 'signIns'>;
  /** How many days the access log is kept. Unset: 400, so that a year can be looked at as a whole, and what it ended on be asked about. */
  readonly days: number | undefined;
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Housekeeping {
  /** Stops after the batch that is under way. */
  close(): Promise<void>;
}

const day = 24 * 60 * 60_000;
/** Milliseconds between two rounds: about an hour, never the same for two replicas that started together. */
const between = 3_600_000;
/** Rows of one statement: nobody waits for more. */
const batch = 500;
const component = 'console';

/** Forgets now and about every hour. What could not be forgotten is forgotten in the next round. */
export const keepHouse = ({ storage, days = 400, random, clock, log }: HousekeepingOptions): Housekeeping => {
  const stop = new AbortController();
  const round = async () => {
    const now = clock.now();
    await storage.signIns.forget(now);
    await storage.console.forget(now);
    let count = 0;
    let gone = batch;
    while (gone === batch && !stop.signal.aborted) {
      gone = await storage.console.forgetAccesses(now - days * day, batch);
      count += gone;
    }
    if (count > 0) log.info({ component, count }, 'entries of the access log past their time were removed');
  };
  const keep = async () => {
    do {
      await round().catch((fault: unknown) =>
        log.warn({ ...faultFields(fault), component }, 'what the console need not know any more could not be removed'),
      );
    } while (await sleep(between * (0.5 + random()), stop.signal));
  };
  const running = keep();
  return {
    close: async () => {
      stop.abort();
      await running;
    },
  };
};
