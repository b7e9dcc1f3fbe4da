export interface Backoff {
  /** The first ceiling, in milliseconds; each further attempt doubles it. */
  readonly base: number;
  /** The highest ceiling, in milliseconds. */
  readonly cap: number;
}

/**
 * A wait in milliseconds for the given attempt (0 is the first), between 0 and the ceiling: full jitter, so that many
 * clients do not come back at the same moment (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter).
 */
export const fullJitter = ({ base, cap }: Backoff, attempt: number, random: () => number = Math.random) =>
  Math.floor(random() * Math.min(cap, base * 2 ** Math.min(attempt, 30)));
