// What happens to requests on schedule, from stored due times: the steps of test numbers, and expiry.

import { type ClaimedRow, makeRetryQueue } from '../../../platform/retry-queue.ts';
import type { Scheduler } from '../../../platform/time/scheduler.ts';
import type { AppContext } from '../app-context.ts';
import { system } from '../audit/origin.ts';
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

export const makeRequestScheduler = (context: AppContext, endings: Endings): Scheduler => {
  const { storage, listeners, taskOf, clock } = context;
  const take = async (request: Request) => {
    const step = stepsOf(request.behaviour, request.app)[request.step];
    if (!step) {
      await endings.byItself(request, 'timeout');
    } else if ('status' in step) {
      await endings.byItself(request, step.status);
    } else {
      const recorded = { by: system, shown: taskOf(request).shown() };
      const due = dueAt(request, request.step + 1);
      if (await storage.changes.advance(request, step.event, clock.now(), due, recorded)) listeners.notify(request.id);
    }
  };

  return makeRetryQueue<ClaimedRow & { readonly request: Request }>(context, {
    // Side by side, so that their writes share commits: what expires at the same time is there all at once. Taking
    // longer than the patience only costs a second try: every step is one statement and happens once.
    ...{ component: 'requests', waits: [60_000], forever: true, patienceMs: 15_000, concurrency: 50 },
    messages: { failed: 'a request could not be moved on' },
    claim: async (ms, limit) => {
      const due = await storage.requests.claimDue(clock.now(), clock.now() + ms, limit);
      return due.map((request) => ({ request, claim: request.dueAt, attempts: 0 }));
    },
    nextDue: storage.requests.nextDue,
    attempt: async ({ request }) => {
      await take(request);
      return { done: true };
    },
    // What was moved on has another due time, or none.
    settle: async ({ request }, fate) => {
      if ('again' in fate) await storage.changes.postpone(request, clock.now() + fate.again);
    },
    describe: ({ request }) => ({ interaction: request.id }),
  });
};
