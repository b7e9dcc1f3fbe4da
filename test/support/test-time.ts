// A clock that stands still until it is moved, with its alarm.
import type { Clock } from '../../src/platform/time/clock.ts';
import type { Alarm } from '../../src/service/index.ts';

export interface TestTime {
  readonly clock: Clock;
  readonly alarm: Alarm;
  /** Moves on, ringing each alarm on the way at its instant. `settle` waits for the work that a ring started. */
  advance(milliseconds: number, settle: () => Promise<void>): Promise<void>;
}

export const makeTestTime = (start = Date.UTC(2026, 10, 20, 9)): TestTime => {
  let now = start;
  const waiting = new Set<{ at: number; ring: () => void }>();
  return {
    clock: { now: () => now },
    alarm: {
      at: (at, ring) => {
        const entry = { at, ring };
        waiting.add(entry);
        return () => waiting.delete(entry);
      },
    },
    advance: async (milliseconds, settle) => {
      const end = now + milliseconds;
      for (;;) {
        await settle();
        const [next] = [...waiting].sort((a, b) => a.at - b.at);
        if (!next || next.at > end) break;
        waiting.delete(next);
        now = Math.max(now, next.at);
        next.ring();
      }
      now = end;
    },
  };
};
