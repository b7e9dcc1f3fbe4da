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
