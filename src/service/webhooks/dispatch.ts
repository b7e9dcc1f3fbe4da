// Posts webhooks. Each endpoint has its own queue, so that a slow or failing one delays no other.

import { finalEvents, type WebhookPayload } from '../../contract/index.ts';
import { faultFields } from '../../platform/log.ts';
import { type Post, postPatienceMs } from '../../platform/outgoing/webhook-post.ts';
import { makeRetryQueue } from '../../platform/retry-queue.ts';
import { iso } from '../../platform/time/clock.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Core } from '../core/core.ts';
import { type DueRow, makeDueRows } from '../core/store/due-rows.ts';
import type { Storage } from '../core/store/index.ts';
import type { Request } from '../core/store/request.ts';
import type { Webhook, Webhooks } from './store.ts';

/** The endpoint of an account's webhooks. */
type Endpoint = { readonly accountId: string; readonly url: string };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits from one attempt to the next, in milliseconds (Standard Webhooks, Deliverability and reliability). */
const waits: readonly number[] = [...[5 * second, 5 * minute, 30 * minute], ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];

/** An endpoint's webhooks to be delivered. */
export const dueWebhooks = (storage: Pick<Storage, 'database'>, { accountId, url }: Endpoint) =>
  makeDueRows(storage, 'webhooks', 'id', (eb) => eb.and({ account_id: accountId, url }).and('dead_at', 'is', null));

/** Wakes, settles and stops all endpoints together. */
export const makeWebhookDispatch = (core: Core, { isDisabled }: Pick<Webhooks, 'isDisabled'>, post: Post): Scheduler => {
  const { accounts, resultOf, storage, givenUp, clock, log } = core;
  const { db } = storage.database;

  /** Gives up all webhooks to be delivered to an endpoint. */
  const buryAll = async ({ accountId, url }: Endpoint, code: string) => {
    const rows = db.updateTable('webhooks').set({ dead_at: clock.now(), dead_code: code }).where('account_id', '=', accountId);
    await rows.where('url', '=', url).where('dead_at', 'is', null).execute();
  };

  const disable = async (endpoint: Endpoint) => {
    log.error({ component: 'webhooks', code: 'endpoint_gone' }, 'an endpoint says that it is gone: nothing more is sent to it');
    await db
      .insertInto('webhook_endpoints')
      .values({ account_id: endpoint.accountId, url: endpoint.url, disabled_at: clock.now() })
      .onConflict((conflict) => conflict.columns(['account_id', 'url']).doNothing())
      .execute();
    await buryAll(endpoint, 'endpoint_gone');
  };

  const endpoints = accounts.all.flatMap(({ account, webhooks: all }) => all.map((one) => ({ ...one, accountId: account.id })));
  const schedulers = endpoints.map((endpoint) => {
    const coming = dueWebhooks(storage, endpoint);
    return makeRetryQueue<DueRow<'webhooks'>>(core, {
      ...{ component: 'webhooks', waits, patienceMs: postPatienceMs, concurrency: 8 },
      messages: { failed: 'a webhook did not arrive', givenUp: 'a webhook is given up' },
      claim: async (ms, limit) => {
        const due = await coming.claim(clock.now(), ms, limit);
        if (due.length === 0 || !(await isDisabled(endpoint.accountId, endpoint.url))) return due;
        await buryAll(endpoint, 'endpoint_gone');
        return [];
      },
      nextDue: coming.nextDue,
      attempt: async (webhook, signal) => {
        const request = await storage.requests.get(webhook.request_id);
        if (!request) return { done: true };
        const body = Buffer.from(JSON.stringify(payloadOf(webhook, request, resultOf)));
        return post({ url: endpoint.url, keys: endpoint.keys, id: webhook.id, body }, signal);
      },
      // One that was delivered is deleted.
      settle: async (webhook, fate) => {
        if ('done' in fate) return coming.remove(webhook);
        const now = clock.now();
        const settled = 'again' in fate ? { due_at: now + fate.again } : { dead_at: now, dead_code: fate.givenUp };
        await coming.change(webhook, { ...settled, attempts: fate.attempts });
      },
      giveUp: async (_, { final }) => {
        if (final) await disable(endpoint);
      },
      givenUp: () => givenUp('webhooks'),
      describe: ({ request_id: interaction }) => ({ interaction }),
    });
  });

  /** Webhooks for endpoints that the catalogue no longer lists can only be read. */
  const buryOrphans = async () => {
    const addresses = db.selectFrom('webhooks').select(['account_id as accountId', 'url']).distinct().where('dead_at', 'is', null);
    for (const { accountId, url } of await addresses.execute())
      if (!endpoints.some((endpoint) => endpoint.accountId === accountId && endpoint.url === url))
        await buryAll({ accountId, url }, 'endpoint_removed');
  };
  let cleaning: Promise<void> | undefined;

  return {
    wake: (at) => {
      cleaning ??= buryOrphans().catch((fault) =>
        log.error({ ...faultFields(fault), component: 'webhooks' }, 'could not bury webhooks of removed endpoints'),
      );
      for (const { wake } of schedulers) wake(at);
    },
    settled: async () => {
      await cleaning;
      for (const { settled } of schedulers) await settled();
    },
    stop: async () => {
      await Promise.all([cleaning, ...schedulers.map(({ stop }) => stop())]);
    },
  };
};

/**
 * The body, created from the request when it is posted, so that no personal data is stored twice. It shows the state at
 * the time of the event, however late it arrives.
 */
const payloadOf = (
  { type, code, created_at: createdAt }: Pick<Webhook, 'code' | 'created_at' | 'type'>,
  request: Request,
  resultOf: Core['resultOf'],
): WebhookPayload => {
  const status = Object.hasOwn(finalEvents, type) ? finalEvents[type as keyof typeof finalEvents] : undefined;
  const result = status && resultOf(request);
  return {
    type: type as WebhookPayload['type'],
    timestamp: iso(createdAt),
    data: {
      request: { id: request.id, app: request.app, state: status ?? (type === 'request.cancelled' ? 'cancelled' : 'pending') },
      session: { ref: request.sessionRef },
      customer: { ref: request.customerRef },
      ...(code !== null && { code }),
      ...(result && { result: result as WebhookPayload['data']['result'] }),
    },
  };
};
