// Waiting for a condition instead of sleeping.
import { setImmediate } from 'node:timers/promises';

/** Resolves once the condition holds; fails the test when it does not within so many milliseconds. */
export const until = async (condition: () => boolean, milliseconds = 5_000): Promise<void> => {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition}`);
    await setImmediate();
  }
};
