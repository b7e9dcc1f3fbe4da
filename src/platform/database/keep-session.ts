// A database session that is opened again whenever it ends, until the work stops.

import { faultFields, type Log } from '../log.ts';
import { type Backoff, fullJitter, sleep } from '../time/waits.ts';
import type { DatabaseSession, SharedDatabase } from './database.ts';

const retry: Backoff = { base: 100, cap: 5_000 };
/** A session that lasted this long (ms) counts as good: the next attempt waits the shortest time again. */
const goodSession = 10_000;

/**
 * Keeps a session in use until `stop` aborts. `use` works with one for as long as it lasts, and gets a signal that aborts
 * with the session or with `stop`; it is called again with the next one, also after it threw. Never throws.
 * @param component - the purpose of the session, for the log
 */
export const keepSession = async <Schema>(
  database: Pick<SharedDatabase<Schema>, 'session'>,
  component: string,
  use: (session: DatabaseSession<Schema>, signal: AbortSignal) => Promise<void>,
  log: Log,
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
    await sleep(fullJitter(retry, attempt), stop);
  }
};
