// How long to wait before trying again.

export interface Backoff {
  /** The first ceiling, in milliseconds; each further attempt doubles it. */
  readonly base: number;
  /** The highest ceiling, in milliseconds. */
  readonly cap: number;
}

/**
 * A wait in milliseconds for the given attempt (0 is the first), anywhere between nothing and the ceiling: full jitter, so that many
 * waiting clients do not come back together (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter).
 */
export const fullJitter = ({ base, cap }: Backoff, attempt: number, random: () => number = Math.random) =>
  Math.floor(random() * Math.min(cap, base * 2 ** Math.min(attempt, 30)));
