// Time as a part that can be replaced.

/** Tells the time in milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** For durations: milliseconds since some moment, which no correction of the system's time ever moves. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** The instant as the interface writes it, ISO 8601 in UTC. */
export const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The day of an instant in UTC, as `2026-11-20`. */
export const isoDay = (milliseconds: number) => iso(milliseconds).slice(0, 10);

/** The shared database's time, so that replicas with different clocks agree on every deadline. */
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
      const theirs = await ask();
      ahead = theirs - (before + monotonic.now()) / 2;
    },
  };
};
