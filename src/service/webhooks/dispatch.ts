// Posts webhooks. Each endpoint has its own queue, so that a slow or failing one delays no other.

import { finalEvents, type WebhookPayload } from '../../contract/index.ts';
import { faultFields } from '../../platform/log.ts';
import { type Post, postPatienceMs } from '../../platform/outgoing/webhook-post.ts';
import { makeRetryQueue } from '../../platform/retry-queue.ts';
import { iso } from '../../platform/time/clock.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Core } from '../core/core.ts';
import type { Request } from '../core/store/request.ts';
import type { Endpoint, Webhook, Webhooks } from './store.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits from one attempt to the next, in milliseconds (Standard Webhooks, Deliverability and reliability). */
const waits: readonly number[] = [...[5 * second, 5 * minute, 30 * minute], ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];

/** Wakes, settles and stops all endpoints together. */
export const makeWebhookDispatch = (core: Core, webhooks: Webhooks, post: Post): Scheduler => {
  const { accounts, resultOf, storage, givenUp, clock, log } = core;

  const disable = async (endpoint: Endpoint) => {
    log.error({ component: 'webhooks', code: 'endpoint_gone' }, 'an endpoint says that it is gone: nothing more is sent to it');
    await webhooks.disable(endpoint, clock.now());
    await webhooks.buryAll(endpoint, clock.now(), 'endpoint_gone');
  };

  const endpoints = accounts.all.flatMap(({ account, webhooks: all }) => all.map((one) => ({ ...one, accountId: account.id })));
  const schedulers = endpoints.map((endpoint) =>
    makeRetryQueue<Webhook>(core, {
      ...{ component: 'webhooks', waits, patienceMs: postPatienceMs, concurrency: 8 },
      messages: { failed: 'a webhook did not arrive', givenUp: 'a webhook is given up' },
      claim: async (ms, limit) => {
        const now = clock.now();
        const due = await webhooks.claimDue(endpoint, now, now + ms, limit);
        if (due.length === 0 || !(await webhooks.isDisabled(endpoint))) return due;
        await webhooks.buryAll(endpoint, now, 'endpoint_gone');
        return [];
      },
      nextDue: () => webhooks.nextDue(endpoint),
      attempt: async (webhook, signal) => {
        const request = await storage.requests.get(webhook.requestId);
        if (!request) return { done: true };
        const body = Buffer.from(JSON.stringify(payloadOf(webhook, request, resultOf)));
        return post({ url: endpoint.url, keys: endpoint.keys, id: webhook.id, body }, signal);
      },
      settle: (webhook, fate) => webhooks.settle(webhook, fate, clock.now()),
      giveUp: async (_, { final }) => {
        if (final) await disable(endpoint);
      },
      givenUp: () => givenUp('webhooks'),
      describe: ({ requestId }) => ({ interaction: requestId }),
    }),
  );

  /** Webhooks for endpoints that the catalogue no longer lists can only be read. */
  const buryOrphans = async () => {
    for (const { accountId, url } of await webhooks.addresses()) {
      if (endpoints.some((endpoint) => endpoint.accountId === accountId && endpoint.url === url)) continue;
      await webhooks.buryAll({ accountId, url }, clock.now(), 'endpoint_removed');
    }
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
  { type, code, createdAt }: Pick<Webhook, 'code' | 'createdAt' | 'type'>,
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
      ...(code !== undefined && { code }),
      ...(result && { result: result as WebhookPayload['data']['result'] }),
    },
  };
};
