// The webhooks that were given up, for the account to look at and to have sent again.
import { z } from 'zod';
import { type DeadWebhook, ulid } from '../../contract/index.ts';
import { type Clock, iso } from '../../platform/clock.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { AddOperation } from '../api/operations.ts';
import type { Scheduler } from '../scheduler.ts';
import type { DeadWebhookRow, Webhook, Webhooks } from '../store/webhooks.ts';

export interface WebhookOperationsOptions {
  readonly add: AddOperation;
  readonly webhooks: Webhooks;
  readonly dispatch: Scheduler;
  readonly clock: Clock;
}

/** The newest are shown. */
const shown = 100;

export const addWebhookOperations = ({ add, webhooks, dispatch, clock }: WebhookOperationsOptions) => {
  add({
    method: 'GET',
    path: '/webhooks/dead',
    from: 'path',
    schema: z.object({}),
    answer: async ({ account }) => ({ webhooks: (await webhooks.dead(account.id, shown)).map(told) }),
  });

  add({
    method: 'POST',
    path: '/webhooks/dead/:id/retry',
    from: 'path',
    schema: z.object({ id: ulid.toUpperCase() }),
    answer: async ({ account, input: { id } }) => {
      const revived = await webhooks.revive(account.id, id, clock.now());
      if (!revived) throw new HttpProblem(404, 'not_found', 'No webhook of this identifier was given up.');
      dispatch.wake(clock.now());
      return named(revived);
    },
  });
};

const named = ({ id, url, type, requestId }: Webhook) => ({ id, url, type: type as DeadWebhook['type'], requestId });

const told = (row: DeadWebhookRow): DeadWebhook => ({
  ...named(row),
  code: row.deadCode,
  attempts: row.attempts,
  createdAt: iso(row.createdAt),
  deadAt: iso(row.deadAt),
});
