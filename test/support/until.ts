// Waiting for a condition instead of for a time.
import { setImmediate, setTimeout } from 'node:timers/promises';

type Held<Value> = Exclude<Value, undefined | false | null>;

/**
 * Resolves with the first value of `probe` that is not `undefined`, `false` or `null`; fails the test when there is
 * none in time.
 */
export const until = async <Value>(
  probe: () => Value | Promise<Value>,
  what = String(probe),
  milliseconds = 40_000,
): Promise<Held<Value>> => {
  const end = performance.now() + milliseconds;
  for (let round = 0; ; round += 1) {
    const value = await probe();
    if (value !== undefined && value !== false && value !== null) return value as Held<Value>;
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    // Most conditions are met at once. For the others, wait without taking the processor from the work itself.
    await (round < 20 ? setImmediate() : setTimeout(round < 200 ? 4 : 20));
  }
};
