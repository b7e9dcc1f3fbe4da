// What happens to requests on schedule, from stored due times: the steps of test numbers, and expiry.

import { makeRetryQueue } from '../../../platform/retry-queue.ts';
import type { Scheduler } from '../../../platform/time/scheduler.ts';
import type { AppContext } from '../app-context.ts';
import { system } from '../audit/origin.ts';
import { type DueRow, makeDueRows } from '../store/due-rows.ts';
import type { Storage } from '../store/index.ts';
import type { Request } from '../store/request.ts';
import { stepsOf } from '../test-numbers.ts';
import type { Endings } from './endings.ts';

/** When a request has to be looked at next, with its given step still to come. */
export const dueAt = (
  { behaviour, app, createdAt, expiresAt }: Pick<Request, 'app' | 'behaviour' | 'createdAt' | 'expiresAt'>,
  step: number,
) => {
  const next = stepsOf(behaviour, app)[step];
  return next ? Math.min(createdAt + next.after, expiresAt) : expiresAt;
};

/** Pending requests: at their next step's instant, or when they expire. */
export const dueRequests = (storage: Pick<Storage, 'database'>) =>
  makeDueRows(storage, 'requests', 'id', (eb) => eb('state', '=', 'pending'));

export const makeRequestScheduler = (context: AppContext, endings: Endings): Scheduler => {
  const { storage, listeners, taskOf, clock } = context;
  const due = dueRequests(storage);
  const take = async (request: Request) => {
    const step = stepsOf(request.behaviour, request.app)[request.step];
    if (!step) {
      await endings.byItself(request, 'timeout');
    } else if ('status' in step) {
      await endings.byItself(request, step.status);
    } else {
      const recorded = { by: system, shown: taskOf(request).shown() };
      const next = dueAt(request, request.step + 1);
      if (await storage.changes.advance(request, step.event, clock.now(), next, recorded)) listeners.notify(request.id);
    }
  };

  return makeRetryQueue<DueRow<'requests'> & { readonly attempts: number }>(context, {
    // Side by side, so that their writes share commits: what expires at the same time is there all at once. Taking
    // longer than the patience only costs a second try: every step is one statement and happens once.
    ...{ component: 'requests', waits: [60_000], forever: true, patienceMs: 15_000, concurrency: 50 },
    messages: { failed: 'a request could not be moved on' },
    claim: async (ms, limit) => (await due.claim(clock.now(), ms, limit)).map((row) => ({ ...row, attempts: 0 })),
    nextDue: due.nextDue,
    attempt: async (row) => {
      await take(storage.requests.from(row));
      return { done: true };
    },
    // What was moved on has another due time, or none.
    settle: async (row, fate) => {
      if ('again' in fate) await due.change(row, { due_at: clock.now() + fate.again });
    },
    describe: ({ id }) => ({ interaction: id }),
  });
};
