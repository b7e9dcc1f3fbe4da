// What happens to requests on schedule, from stored due times: the steps of test numbers, and expiry.

import type { Alarm } from '../../../platform/alarm.ts';
import type { Clock } from '../../../platform/clock.ts';
import { faultFields, type Log } from '../../../platform/log.ts';
import { makeScheduler, type Scheduler } from '../../../platform/scheduler.ts';
import type { Listeners } from '../listeners.ts';
import type { Storage } from '../store/index.ts';
import type { Request } from '../store/request.ts';
import { stepsOf } from '../test-numbers.ts';
import { system } from '../trail/origin.ts';
import { type Endings, taskOf } from './endings.ts';

export interface RequestSchedulerOptions {
  readonly storage: Storage;
  readonly endings: Endings;
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
}

const batch = 50;
/**
 * How long (ms) one replica has for what is due. Taking longer only costs a second try: every step is one statement and
 * happens once.
 */
const claimMs = 15_000;
const postponedMs = 60_000;

/** When a request has to be looked at next, with its given step still to come. */
export const dueAt = (
  { behaviour, app, createdAt, expiresAt }: Pick<Request, 'app' | 'behaviour' | 'createdAt' | 'expiresAt'>,
  step: number,
) => {
  const next = stepsOf(behaviour, app)[step];
  return next ? Math.min(createdAt + next.after, expiresAt) : expiresAt;
};

export const makeRequestScheduler = ({ storage, endings, listeners, clock, alarm, log }: RequestSchedulerOptions): Scheduler => {
  const take = async (request: Request) => {
    const step = stepsOf(request.behaviour, request.app)[request.step];
    if (!step) {
      await endings.byItself(request, 'timeout');
    } else if ('status' in step) {
      await endings.byItself(request, step.status);
    } else {
      const { id, step: from } = request;
      const shown = taskOf(request).shown();
      const next = { from, event: step.event, at: clock.now(), dueAt: dueAt(request, from + 1), by: system, shown };
      if (await storage.changes.advance(id, next)) listeners.tell(id);
    }
  };

  const move = async (request: Request, now: number) => {
    try {
      await take(request);
    } catch (fault) {
      log.error({ ...faultFields(fault), component: 'course', interaction: request.id }, 'a request could not be moved on');
      // One that fails must not hold up the others. Without a database this fails too, and all are tried again.
      await storage.changes.postpone(request.id, now + postponedMs);
    }
  };

  return makeScheduler({
    component: 'course',
    clock,
    alarm,
    log,
    shared: storage.shared,
    run: async (now) => {
      const due = await storage.requests.claimDue(now, now + claimMs, batch);
      // Side by side, so that their writes share commits: what expires at the same time is there all at once.
      const moved = await Promise.allSettled(due.map((request) => move(request, now)));
      for (const one of moved) if (one.status === 'rejected') throw one.reason;
      return due.length;
    },
    nextDue: () => storage.requests.nextDue(),
  });
};
