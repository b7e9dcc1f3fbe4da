// The time that all replicas use: the database's, asked for every so often.
import { sql } from 'kysely';
import { type Clock, makeDatabaseClock } from '../../../platform/clock.ts';
import type { SharedDatabase } from '../../../platform/database.ts';
import { faultFields, type Log } from '../../../platform/log.ts';
import { sleep } from '../../../platform/sleep.ts';

/** How often (ms) the database is asked: a machine's monotonic clock strays by far less than a second in between. */
const askEvery = 30_000;

/**
 * A clock that is set by the database, again and again until it is stopped. @throws when the database cannot be asked
 * at the start.
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
      return rows[0]?.now ?? clock.now();
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
