// A deadline for work that cannot be stopped.

/**
 * The result of `work`, or what `late` answers or throws once `ms` milliseconds have passed. The work itself goes on;
 * how it ends after that is ignored.
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
