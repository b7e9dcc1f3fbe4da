// What is removed of the service's data past its time: requests with everything that belongs to them, and the rest.
import { sql } from 'kysely';
import { day, keepHouse, purge, type RetentionRule } from '../../platform/database/retention.ts';
import type { ServiceContext } from './context.ts';

/**
 * Removes expired data now and about every hour.
 * @param others - what other parts of the service remove
 * @param requestDays - how many days a request is kept after it has ended
 */
export const startHousekeeping = (
  { storage: { database, retention }, clock, log }: ServiceContext,
  others: readonly RetentionRule[],
  requestDays = 365,
) => {
  const stop = new AbortController();
  const purging = (signal: AbortSignal) => {
    const now = clock.now();
    return purge(database, sql<number>`${now}`, [...others, ...retention(now, requestDays * day)], signal);
  };
  const running = keepHouse(purging, log, Math.random, stop.signal);
  return {
    /** Stops after the current batch. */
    close: async () => {
      stop.abort();
      await running;
    },
  };
};
