// Few numbers out of many.

/** The value below which the given share (0 to 1) of the values lies. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  if (value === undefined) throw new RangeError('nothing was measured');
  return value;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);
