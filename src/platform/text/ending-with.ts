// Aborting one part of some work.

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
