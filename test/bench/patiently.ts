// Waiting for a condition without using the processor that what is measured needs.
import { setTimeout as pause } from 'node:timers/promises';

/** Looks every so many milliseconds until it holds. @throws when it does not in time. */
export const patiently = async (
  every: number,
  holds: () => boolean | Promise<boolean>,
  what: string,
  milliseconds: number,
): Promise<void> => {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await pause(every);
  }
};
