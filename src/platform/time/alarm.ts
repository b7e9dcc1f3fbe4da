// Waking up at an instant, replaceable along with the clock.
import type { Clock } from './clock.ts';

export interface Alarm {
  /**
   * Fires once, at the instant or soon after, unless the returned function is called first. It may fire early: check
   * the clock.
   */
  at(instant: number, ring: () => void): () => void;
}

/** Node's timers overflow beyond this many milliseconds and would fire at once. */
const maxDelay = 2 ** 31 - 1;

export const makeAlarm = (clock: Clock): Alarm => ({
  at: (instant, ring) => {
    const timer = setTimeout(ring, Math.min(Math.max(0, instant - clock.now()), maxDelay));
    return () => clearTimeout(timer);
  },
});
