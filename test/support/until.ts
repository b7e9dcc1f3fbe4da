// Waiting for a condition instead of for a time.

/** Resolves with the first value of `probe` that is neither `undefined`, `false` nor `null`; rejects after `timeoutMs` with what was waited for. */
export const until = async <Value>(
  what: string,
  probe: () => Value | Promise<Value>,
  timeoutMs = 5000,
): Promise<Exclude<Value, undefined | false | null>> => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false && value !== null) return value as Exclude<Value, undefined | false | null>;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
