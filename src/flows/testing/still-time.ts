// Time that stands still for the whole process, and goes on only as far as it is told to. What is on its way between
// parts of the process still arrives.
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate as breathe } from 'node:timers/promises';
import FakeTimers from '@sinonjs/fake-timers';

/** A Friday morning, always the same. */
const start = Date.UTC(2026, 10, 20, 9);
/** How long (ms, of real time) anything may take. */
const patience = 20_000;
/** How far (ms) time goes with every look. */
const stride = 5;

export const standStill = () => {
  const clock = FakeTimers.install({
    now: start,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    ignoreMissingTimers: true,
  });
  // Names imported from `node:timers/promises` are brought up to date.
  syncBuiltinESMExports();
  const step = async (ms: number) => {
    await breathe();
    await clock.tickAsync(ms);
  };
  /** Resolves when the condition holds; `false` where it does not come to hold. */
  const until = async (holds: () => Promise<boolean>) => {
    const end = performance.now() + patience;
    while (performance.now() < end) {
      if (await holds()) return true;
      await step(stride);
    }
    return false;
  };
  return {
    until,
    /** Resolves as the work does. Timers that it waits for go on, a little at a time. */
    whileIt: async <Result>(work: Promise<Result>): Promise<Result> => {
      let over = false;
      const done = work.finally(() => {
        over = true;
      });
      // A fault reaches those who await it below.
      done.catch(() => {});
      for (let looks = 0; !over && looks < 20; looks += 1) await breathe();
      await until(async () => over);
      return done;
    },
    advance: async (ms: number) => {
      const target = clock.now + ms;
      while (clock.now < target) await step(Math.min(1000, target - clock.now));
      for (let looks = 0; looks < 20; looks += 1) await step(0);
    },
    restore: () => {
      clock.uninstall();
      syncBuiltinESMExports();
    },
  };
};
