// Waiting between attempts.
import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after so many milliseconds, or at once when the signal aborts, whichever comes first. Never rejects. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const pause: Pause = (milliseconds, signal) =>
  delay(milliseconds, undefined, { signal }).catch((reason: unknown) => {
    if (!signal.aborted) throw reason;
  });
