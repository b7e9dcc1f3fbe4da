// Handlers of events and timers that cannot end the process: Node has nobody to give their errors to but itself.
// A handler of uncaught errors for the whole process would hide in which state it goes on; there is none.

/** A handler of an event or a timer. Its errors, also those of a promise that it returns, go to `failed`. */
export const errorBoundary =
  <Args extends unknown[]>(handle: (...args: Args) => unknown, failed: (fault: unknown, ...args: Args) => void) =>
  (...args: Args): void => {
    try {
      const result = handle(...args);
      if (result instanceof Promise) result.catch((fault: unknown) => failed(fault, ...args));
    } catch (fault) {
      failed(fault, ...args);
    }
  };
