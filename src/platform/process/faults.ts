// Faults of the program itself, as opposed to those of what it calls; and handlers of events and timers that cannot end the
// process: Node has nobody to give their errors to but itself. A handler of uncaught errors for the whole process would
// hide in which state it goes on; there is none.

const kinds = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Whether a fault is the program's own: it met a value that it does not expect, such as state that another version
 * stored. Faults from outside have a class or a code of their own; a failed `fetch` is a TypeError with a cause.
 */
export const isOwnFault = (fault: unknown): boolean => kinds.some((kind) => fault instanceof kind) && (fault as Error).cause === undefined;

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
