// A database session that is opened again whenever it ends, until the work stops.

import type { Session, SharedDatabase } from '../database/database.ts';
import { faultFields, type Log } from '../log.ts';
import { type Backoff, fullJitter } from '../time/backoff.ts';
import { sleep } from '../time/sleep.ts';

export interface KeepSessionOptions<Schema> {
  readonly database: Pick<SharedDatabase<Schema>, 'session'>;
  /** The purpose of the session, for the log. */
  readonly component: string;
  /** Works with a session for as long as it lasts. Called again with the next one, also after it threw. */
  readonly use: (session: Session<Schema>, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly log: Log;
}

const retry: Backoff = { base: 100, cap: 5_000 };
/** A session that lasted this long (ms) counts as good: the next attempt waits the shortest time again. */
const goodSession = 10_000;

/**
 * Keeps a session in use until `stop` aborts. `use` gets a signal that aborts with the session or with `stop`. Never
 * throws.
 */
export const keepSession = async <Schema>(
  { database, component, use, random, log }: KeepSessionOptions<Schema>,
  stop: AbortSignal,
): Promise<void> => {
  for (let attempt = 0; !stop.aborted; attempt += 1) {
    const since = performance.now();
    try {
      const session = await database.session();
      try {
        await use(session, AbortSignal.any([session.lost, stop]));
      } finally {
        await session.close();
      }
    } catch (fault) {
      log.warn({ ...faultFields(fault), component, attempt }, 'a database session ended by a fault');
    }
    if (performance.now() - since > goodSession) attempt = 0;
    await sleep(fullJitter(retry, attempt, random), stop);
  }
};
