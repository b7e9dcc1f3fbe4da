/**
 * The result of `work`, or of `late` once `ms` milliseconds have passed. The work itself cannot be stopped: it goes on,
 * and its result is ignored.
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
