// Time as a part that tests can replace.

/** Milliseconds since the epoch. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** For durations: milliseconds since an arbitrary moment, unaffected by corrections of the system's time. */
export const monotonicClock: Clock = { now: () => performance.now() };

/** An instant as the interface writes it, ISO 8601 in UTC. */
export const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

/** The UTC day of an instant, for example `2026-11-20`. */
export const isoDay = (milliseconds: number) => iso(milliseconds).slice(0, 10);

/**
 * The shared database's time, so that replicas with different clocks agree on every deadline: a clock that is set by the
 * database and driven by this machine's monotonic clock, so that changing the machine's time has no effect. It is off by
 * at most half the duration of the last question.
 */
export const makeDatabaseClock = () => {
  /**
   * How far (ms) the database's clock is ahead of the monotonic one. Until the first question, the system's time is
   * used.
   */
  let ahead = Date.now() - monotonicClock.now();
  return {
    now: () => Math.round(monotonicClock.now() + ahead),
    /** Asks the database for its time, and follows it from then on. Returns the answer; one without a time changes nothing. */
    adjust: async <Answer extends { readonly now: number }>(ask: () => Promise<Answer | undefined>): Promise<Answer | undefined> => {
      const before = monotonicClock.now();
      const answer = await ask();
      if (answer) ahead = answer.now - (before + monotonicClock.now()) / 2;
      return answer;
    },
  };
};

/** Whether a name is that of a time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch (fault) {
    if (fault instanceof RangeError) return false;
    throw fault;
  }
};

export interface Alarm {
  /**
   * Fires once, at the instant or soon after, unless the returned function is called first. It may fire early: check
   * the clock.
   */
  at(instant: number, ring: () => void): () => void;
}

/** Node's timers overflow beyond this many milliseconds and would fire at once. */
const maxDelay = 2 ** 31 - 1;

export const makeAlarm = (clock: Clock): Alarm => ({
  at: (instant, ring) => {
    const timer = setTimeout(ring, Math.min(Math.max(0, instant - clock.now()), maxDelay));
    return () => clearTimeout(timer);
  },
});
