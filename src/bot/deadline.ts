// An end for every wait.

/** The result of `work`, or the given fault after `ms` milliseconds. The work itself cannot be stopped from here; its late end is ignored. */
export const within = async <Result>(work: Promise<Result>, ms: number, fault: () => Error): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(fault()), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
};
