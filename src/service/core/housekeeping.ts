// Forgetting what is past its time: requests with all that belongs to them, quotas, passkeys, the console's accesses, sessions and sign-ins.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { sleep } from '../../platform/sleep.ts';
import type { Storage } from './store/index.ts';

export interface HousekeepingOptions {
  readonly storage: Pick<Storage, 'console' | 'retention' | 'signIns'>;
  /** How many days the access log is kept. Unset: 400, so that a year can be looked at as a whole, and what it ended on be asked about. */
  readonly days: number | undefined;
  /** How many days a request is kept after it has ended. Unset: 365. */
  readonly requestDays: number | undefined;
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
/** Requests of one transaction: each has a trail of its own. */
const fewer = 50;
const component = 'retention';

/** Forgets now and about every hour. What could not be forgotten is forgotten in the next round. */
export const startHousekeeping = ({ storage, days = 400, requestDays = 365, random, clock, log }: HousekeepingOptions): Housekeeping => {
  const stop = new AbortController();
  /** Does it in parts, with everybody else having their turn in between, until a part is not full. */
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
