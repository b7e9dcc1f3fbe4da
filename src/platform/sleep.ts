/** Waits `ms` milliseconds, or until `signal` aborts; never throws. Resolves to whether the whole time passed. */
export const sleep = (ms: number, signal: AbortSignal): Promise<boolean> =>
  // Node's own rejects with an error, whose making takes longer than most waits that end early have left to do.
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
