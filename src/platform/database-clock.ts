// The time as the shared database tells it, so that replicas whose own clocks are apart agree on every deadline.
import { type Clock, monotonicClock } from './clock.ts';

export interface DatabaseClock extends Clock {
  /** Asks the database for its time and goes by it from then on. */
  adjust(ask: () => Promise<number>): Promise<void>;
}

/**
 * A clock that is set by the database and runs by this machine's monotonic clock in between: setting this machine's own time changes nothing.
 * It is wrong by at most half the time that the asking took.
 */
export const makeDatabaseClock = (monotonic: Clock = monotonicClock): DatabaseClock => {
  /** What the database's clock is ahead of the monotonic one; until it was asked once, the system's time stands in. */
  let ahead = Date.now() - monotonic.now();
  return {
    now: () => Math.round(monotonic.now() + ahead),
    adjust: async (ask) => {
      const before = monotonic.now();
      const told = await ask();
      ahead = told - (before + monotonic.now()) / 2;
    },
  };
};
