// The time that all replicas use: the database's, which is queried regularly.
import { sql } from 'kysely';
import type { SharedDatabase } from '../../../platform/database/database.ts';
import { faultFields, type Log } from '../../../platform/log.ts';
import { type Clock, makeDatabaseClock } from '../../../platform/time/clock.ts';
import { sleep } from '../../../platform/time/waits.ts';

/** The interval (ms) of queries: a machine's monotonic clock drifts by far less than a second in between. */
const askEvery = 30_000;

/**
 * A clock that is regularly set by the database until it is stopped. @throws if the database cannot be queried at the
 * start.
 */
export const keepClock = async <Schema>(
  { db, now }: SharedDatabase<Schema>,
  log: Log,
): Promise<{ clock: Clock; stop(): Promise<void> }> => {
  const clock = makeDatabaseClock();
  const stopped = new AbortController();
  const ask = () =>
    clock.adjust(async () => {
      const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(db);
      return rows[0];
    });
  await ask();
  const asking = async () => {
    while (await sleep(askEvery, stopped.signal)) {
      await ask().catch((fault: unknown) => log.warn({ ...faultFields(fault), component: 'clock' }, 'the time could not be asked for'));
    }
  };
  const kept = asking();
  return {
    clock,
    stop: async () => {
      stopped.abort();
      await kept;
    },
  };
};
