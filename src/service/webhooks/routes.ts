// Webhooks that were given up, for the account to read and resend.

import { z } from 'zod';
import { type DeadWebhook, deadWebhooks, revivedWebhook, ulid } from '../../contract/index.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { iso } from '../../platform/time/clock.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Core } from '../core/core.ts';
import type { Webhook, Webhooks } from './store.ts';

const id = ulid.toUpperCase().meta({ description: 'The webhook’s identifier in the list.', examples: ['01KAH5Z0V8Q2J9XW3N4M5P6R7S'] });

export const addWebhookOperations = ({ add, clock }: Core, webhooks: Webhooks, dispatch: Scheduler) => {
  add({
    id: 'webhooks.dead',
    group: 'webhooks',
    summary: 'List the webhooks that were given up',
    description: 'The newest hundred, each with the reason.',
    method: 'GET',
    path: '/webhooks/dead',
    from: 'nothing',
    schema: z.object({}),
    response: deadWebhooks,
    answer: async ({ account }) => ({
      webhooks: (await webhooks.dead(account.id)).map((row) => ({
        ...named(row),
        code: row.dead_code,
        attempts: row.attempts,
        createdAt: iso(row.created_at),
        deadAt: iso(row.dead_at),
      })),
    }),
  });

  add({
    id: 'webhooks.retry',
    group: 'webhooks',
    summary: 'Post a webhook again',
    description:
      'Sends a webhook that was given up once more, with the same identifier. This also reactivates an endpoint that had answered 410.',
    method: 'POST',
    path: '/webhooks/dead/:id/retry',
    from: 'path',
    schema: z.object({ id }),
    response: revivedWebhook,
    refuses: ['not_found'],
    answer: async ({ account, input: { id } }) => {
      const revived = await webhooks.revive(account.id, id, clock.now());
      if (!revived) throw new HttpProblem(404, 'not_found', 'No webhook of this identifier was given up.');
      dispatch.wake(clock.now());
      return named(revived);
    },
  });
};

const named = ({ id, url, type, request_id: requestId }: Webhook) => ({ id, url, type: type as DeadWebhook['type'], requestId });
