// Work done again and again, so many at a time.

/** Does `work(0)` to `work(count - 1)`, `together` at a time. */
export const inParallel = async (count: number, together: number, work: (index: number) => Promise<unknown>): Promise<void> => {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: together }, lane));
};
