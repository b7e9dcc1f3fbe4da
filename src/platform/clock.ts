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
