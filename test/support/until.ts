// Waiting for a condition instead of for a time.
import { setImmediate, setTimeout } from 'node:timers/promises';

type Held<Value> = Exclude<Value, undefined | false | null>;

/**
 * Resolves with the first value of `probe` that is neither `undefined`, `false` nor `null`; fails the test when none
 * comes in time.
 */
export const until = async <Value>(
  probe: () => Value | Promise<Value>,
  what = String(probe),
  milliseconds = 20_000,
): Promise<Held<Value>> => {
  const end = performance.now() + milliseconds;
  for (let round = 0; ; round += 1) {
    const value = await probe();
    if (value !== undefined && value !== false && value !== null) return value as Held<Value>;
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    // Most things come at once. What does not is waited for without keeping the processor from whoever brings it.
    await (round < 20 ? setImmediate() : setTimeout(round < 200 ? 4 : 20));
  }
};
