// Uncaught faults, each of which would have ended the process.

export interface Uncaught {
  /** There must be none. */
  readonly faults: readonly unknown[];
  /** Stops recording. */
  release(): void;
}

/** Records from now on. */
export const watchUncaught = (): Uncaught => {
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  process.on('unhandledRejection', note);
  process.on('uncaughtExceptionMonitor', note);
  return {
    faults,
    release: () => {
      process.off('unhandledRejection', note);
      process.off('uncaughtExceptionMonitor', note);
    },
  };
};
