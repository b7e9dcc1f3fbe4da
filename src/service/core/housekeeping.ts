// Retention: removes expired data, such as requests with everything that belongs to them, quotas, passkeys, and the
// console's access log, sessions and sign-ins.
import { setImmediate as turn } from 'node:timers/promises';
import { faultFields, type Log } from '../../platform/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { sleep } from '../../platform/time/waits.ts';
import type { Storage } from './store/index.ts';

export interface HousekeepingOptions {
  readonly storage: Pick<Storage, 'console' | 'retention' | 'signIns'>;
  /** Days that the access log is kept. Unset: 400, a year and some time for questions about it. */
  readonly days: number | undefined;
  /** How many days a request is kept after it has ended. Unset: 365. */
  readonly requestDays: number | undefined;
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Housekeeping {
  /** Stops after the current batch. */
  close(): Promise<void>;
}

const day = 24 * 60 * 60_000;
/** Milliseconds between two runs: about an hour, and different for replicas that started together. */
const between = 3_600_000;
/** Rows per statement, so that others do not wait long. */
const batch = 500;
/** Requests per transaction: each has an audit trail of its own. */
const fewer = 50;
const component = 'retention';

/** Removes expired data now and about every hour. A failure is retried in the next run. */
export const startHousekeeping = ({ storage, days = 400, requestDays = 365, random, clock, log }: HousekeepingOptions): Housekeeping => {
  const stop = new AbortController();
  /** Works in batches, yielding in between, until a batch is not full. */
  const all = async (most: number, part: () => Promise<number>) => {
    let count = 0;
    for (let gone = most; gone === most && !stop.signal.aborted; ) {
      gone = await part();
      count += gone;
      await turn();
    }
    return count;
  };
  const round = async () => {
    const now = clock.now();
    await storage.signIns.forget(now);
    await storage.console.forget(now);
    const accesses = await all(batch, () => storage.console.forgetAccesses(now - days * day, batch));
    if (accesses > 0) log.info({ component, count: accesses }, 'entries of the access log past their time were removed');
    const past = now - requestDays * day;
    const requests = await all(fewer, () => storage.retention.forgetRequests(past, fewer, now));
    if (requests > 0) log.info({ component, count: requests }, 'requests past their time were emptied');
    await storage.retention.forgetRest(past, now);
  };
  const keep = async () => {
    do {
      await round().catch((fault: unknown) => log.warn({ ...faultFields(fault), component }, 'what is past its time could not be removed'));
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
