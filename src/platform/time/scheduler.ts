// Runs due work: one timer for the next due row, however many rows wait.

import { DatabaseUnavailable } from '../database/database.ts';
import { faultFields, type Log } from '../log.ts';
import type { Alarm, Clock } from './clock.ts';
import { fullJitter, sleep } from './waits.ts';

export interface SchedulerOptions {
  readonly component: string;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /**
   * Whether other replicas may store due work here and die before announcing it: then the database is polled as well.
   */
  readonly shared: boolean;
  /** Does all due work, or part of it. Resolves to how much was found. */
  run(now: number): Promise<number>;
  /** When the next work is due; `undefined` if there is none. */
  nextDue(): Promise<number | undefined>;
}

export type Scheduler = ReturnType<typeof makeScheduler>;

/** How often (ms) a shared database is polled, by this machine's time. */
const pollEvery = 2_000;
/** How long (ms) to leave due work alone that another transaction has locked. */
const heldMs = 20;
const retry = { base: 200, cap: 10_000 };

export const makeScheduler = ({ component, clock, alarm, log, shared, run, nextDue }: SchedulerOptions) => {
  let armed: { at: number; cancel: () => void } | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  const stop = new AbortController();
  let looking: NodeJS.Timeout | undefined;
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

  /** `polled`: nobody knows of due work, so the one statement that finds that out comes before those that claim. */
  const pass = async (polled: boolean) => {
    try {
      let next = polled ? await nextDue() : clock.now();
      const found = next !== undefined && next <= clock.now() ? await run(clock.now()) : 0;
      if (!polled || found > 0) next = await nextDue();
      failures = 0;
      return { found, next };
    } catch (fault) {
      // The rows stay due until the database is back.
      const fields = { ...faultFields(fault), component, attempt: failures };
      if (fault instanceof DatabaseUnavailable) log.warn(fields, 'what is due waits for the database');
      else log.error(fields, 'what was due could not be done');
      failures += 1;
      return { found: 0, next: clock.now() + 50 + fullJitter(retry, failures) };
    }
  };

  const loop = async (polled: boolean) => {
    for (let first = true; !stop.signal.aborted; first = false) {
      again = false;
      const { found, next } = await pass(polled && first);
      if (again) continue;
      if (next !== undefined && next <= clock.now()) {
        if (found === 0) await sleep(heldMs, stop.signal);
        continue;
      }
      if (next !== undefined) arm(next);
      return;
    }
  };

  const start = (polled = false) => {
    if (stop.signal.aborted) return;
    if (running) {
      again ||= !polled;
      return;
    }
    running = loop(polled).finally(() => {
      running = undefined;
      // Woken since the last look at the database.
      if (again && !stop.signal.aborted) start();
      else if (stop.signal.aborted) armed?.cancel();
    });
  };

  return {
    /**
     * Makes sure that nothing due at this instant is missed. Call it after storing something with a due time, and once at
     * the start.
     */
    wake: (at: number): void => {
      if (stop.signal.aborted) return;
      if (shared) looking ??= setInterval(() => start(true), pollEvery);
      if (at <= clock.now()) start();
      else arm(at);
    },
    /** Resolves when nothing is running and nothing is due. */
    settled: async (): Promise<void> => {
      while (running) await running;
    },
    /** Stops for good, after what is running has ended. */
    stop: async (): Promise<void> => {
      stop.abort();
      clearInterval(looking);
      armed?.cancel();
      armed = undefined;
      await running;
    },
  };
};
