// Waits: with an end, within a deadline, and growing between attempts.

/** Waits `ms` milliseconds, or until `signal` aborts; never throws. Resolves to whether the whole time passed. */
export const sleep = (ms: number, signal: AbortSignal): Promise<boolean> =>
  // Node's own timer rejects with an error, which is expensive to create for waits that end early.
  new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve(true);
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });

/**
 * The result of `work`, or of `late` once `ms` milliseconds have passed. The work itself cannot be stopped: it goes on,
 * and its result is ignored.
 */
export const withTimeout = async <Result, Late>(work: Promise<Result>, ms: number, late: () => Late): Promise<Result | Late> => {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, passed.then(late)]);
  } finally {
    clearTimeout(timer);
  }
};

/** The first ceiling, in milliseconds, which each further attempt doubles, and the highest one. */
export type Backoff = { readonly base: number; readonly cap: number };

/**
 * A wait in milliseconds for the given attempt (0 is the first), between 0 and the ceiling: full jitter, so that many
 * clients do not come back at the same moment (aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter).
 */
export const fullJitter = ({ base, cap }: Backoff, attempt: number, random: () => number = Math.random) =>
  Math.floor(random() * Math.min(cap, base * 2 ** Math.min(attempt, 30)));

/**
 * A controller that also aborts when `signal` does, which should end soon after it. Not AbortSignal.any: what has ended
 * would stay in memory until the next major collection.
 */
export const endingWith = (signal: AbortSignal): AbortController => {
  const own = new AbortController();
  if (signal.aborted) own.abort(signal.reason);
  else signal.addEventListener('abort', () => own.abort(signal.reason), { once: true });
  return own;
};
