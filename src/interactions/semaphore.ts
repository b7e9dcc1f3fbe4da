// A gate that so many may be through at a time. Thousands may want the same at the same moment, and none of them would get it in time.

export interface Semaphore {
  /** Does the work when there is room, at once where there is. The urgent go before the others; else it is first come, first served. */
  run<Result>(work: () => Promise<Result>, urgent?: 'urgent'): Promise<Result>;
}

/** Lets `most` works run at a time. */
export const makeSemaphore = (most: number): Semaphore => {
  const urgent = makeQueue();
  const others = makeQueue();
  let inside = 0;
  let admitting = false;

  /** In a loop rather than each letting in the next, since thousands may leave as soon as they are in. */
  const admit = () => {
    if (admitting) return;
    admitting = true;
    while (inside < most) {
      const next = urgent.take() ?? others.take();
      if (!next) break;
      inside += 1;
      next();
    }
    admitting = false;
  };
  const leave = () => {
    inside -= 1;
    admit();
  };

  return {
    run: (work, how) =>
      new Promise((resolve, reject) => {
        (how === 'urgent' ? urgent : others).add(() => {
          work().then(resolve, reject).finally(leave);
        });
        admit();
      }),
  };
};

/** First come, first served. What was taken stays in front until it is worth moving the others up. */
const makeQueue = () => {
  let waiting: ((() => void) | undefined)[] = [];
  let first = 0;
  return {
    add: (one: () => void) => void waiting.push(one),
    take: (): (() => void) | undefined => {
      const one = waiting[first];
      if (!one) return undefined;
      waiting[first] = undefined;
      first += 1;
      if (first * 2 > waiting.length) {
        waiting = waiting.slice(first);
        first = 0;
      }
      return one;
    },
  };
};
