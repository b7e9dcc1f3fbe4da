// Work that is asked for more often than it can be done.

/** The work, one round at a time: asked for during a round, it is done once more after it, for all who asked. Each gets the round that began after. */
export const makeSingleFlight = (work: () => Promise<void>): (() => Promise<void>) => {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    const run = work().finally(() => {
      if (current === run) current = undefined;
    });
    current = run;
    return run;
  };
  return () => {
    if (!current) return begin();
    next ??= current
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
};
