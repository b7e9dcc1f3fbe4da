// Doing what is due: one timer for the next due row, however many rows wait.
import { fullJitter } from '../platform/backoff.ts';
import type { Clock } from '../platform/clock.ts';
import { faultFields, type Log } from '../platform/log.ts';
import type { Alarm } from './alarm.ts';

export interface SchedulerOptions {
  readonly component: string;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Does everything that is due. */
  run(now: number): Promise<void>;
  /** When the next thing is due, `undefined` while nothing is. */
  nextDue(): Promise<number | undefined>;
}

export interface Scheduler {
  /** Makes sure that nothing due at this instant is missed. Call it after storing something with a due time, and once at the start. */
  wake(at: number): void;
  /** Resolves when nothing is running and nothing is due. */
  settled(): Promise<void>;
  /** Stops for good, after what is running has ended. */
  stop(): Promise<void>;
}

const retry = { base: 200, cap: 10_000 };

export const makeScheduler = ({ component, clock, alarm, log, run, nextDue }: SchedulerOptions): Scheduler => {
  let armed: { at: number; cancel: () => void } | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let failures = 0;

  const arm = (at: number) => {
    if (armed && armed.at <= at) return;
    armed?.cancel();
    armed = {
      at,
      cancel: alarm.at(at, () => {
        armed = undefined;
        start();
      }),
    };
  };

  const pass = async () => {
    try {
      await run(clock.now());
      const next = await nextDue();
      failures = 0;
      return next;
    } catch (fault) {
      // A database that is away comes back; the rows stay due until it does.
      log.error({ ...faultFields(fault), component, attempt: failures }, 'what was due could not be done');
      failures += 1;
      return clock.now() + 50 + fullJitter(retry, failures);
    }
  };

  const loop = async () => {
    while (!stopped) {
      again = false;
      const next = await pass();
      if (again || (next !== undefined && next <= clock.now())) continue;
      if (next !== undefined) arm(next);
      return;
    }
  };

  const start = () => {
    if (stopped) return;
    if (running) {
      again = true;
      return;
    }
    running = loop().finally(() => {
      running = undefined;
      // Woken between the last look and here.
      if (again && !stopped) start();
      else if (stopped) armed?.cancel();
    });
  };

  return {
    wake: (at) => {
      if (stopped) return;
      if (at <= clock.now()) start();
      else arm(at);
    },
    settled: async () => {
      while (running) await running;
    },
    stop: async () => {
      stopped = true;
      armed?.cancel();
      armed = undefined;
      await running;
    },
  };
};
