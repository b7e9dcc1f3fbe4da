// Posts webhooks. Each endpoint has its own queue, so that a slow or failing one delays no other.
import { faultFields } from '../../platform/log.ts';
import { type Post, postPatienceMs } from '../../platform/outgoing/webhook-post.ts';
import { makeRetryQueue, type QueueParts } from '../../platform/retry-queue.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Accounts } from '../core/catalogue/accounts.ts';
import type { GivenUp } from '../core/observe.ts';
import type { Storage } from '../core/store/index.ts';
import { payloadOf } from './payload.ts';
import type { Endpoint, Webhook } from './store.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits from one attempt to the next, in milliseconds (Standard Webhooks, Deliverability and reliability). */
const waits: readonly number[] = [...[5 * second, 5 * minute, 30 * minute], ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
export interface WebhookDispatchOptions extends Omit<QueueParts, 'shared'> {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly storage: Pick<Storage, 'requests' | 'shared' | 'webhooks'>;
  readonly post: Post;
  readonly documentUrl: (requestId: string) => string;
  readonly givenUp: GivenUp;
}

/** Wakes, settles and stops all endpoints together. */
export const makeWebhookDispatch = (options: WebhookDispatchOptions): Scheduler => {
  const { accounts, storage, post, documentUrl, givenUp, clock, log } = options;
  const { requests, webhooks, shared } = storage;

  const disable = async (place: Endpoint) => {
    log.error({ component: 'webhooks', code: 'endpoint_gone' }, 'an endpoint says that it is gone: nothing more is sent to it');
    await webhooks.disable(place, clock.now());
    await webhooks.buryAll(place, clock.now(), 'endpoint_gone');
  };

  const places = accounts.all.flatMap(({ account, webhooks: endpoints }) =>
    endpoints.map((endpoint) => ({ endpoint, place: { accountId: account.id, url: endpoint.url } })),
  );
  const schedulers = places.map(({ endpoint: { keys, url }, place }) =>
    makeRetryQueue<Webhook>(
      { ...options, shared },
      {
        ...{ component: 'webhooks', waits, patienceMs: postPatienceMs, concurrency: 8 },
        messages: { failed: 'a webhook did not arrive', givenUp: 'a webhook is given up' },
        claim: async (ms, limit) => {
          const now = clock.now();
          const due = await webhooks.claimDue(place, now, now + ms, limit);
          if (due.length === 0 || !(await webhooks.isDisabled(place))) return due;
          await webhooks.buryAll(place, now, 'endpoint_gone');
          return [];
        },
        nextDue: () => webhooks.nextDue(place),
        attempt: async (webhook, signal) => {
          const request = await requests.get(webhook.requestId);
          if (!request) return { done: true };
          const body = Buffer.from(JSON.stringify(payloadOf(webhook, request, documentUrl)));
          return post({ url, keys, id: webhook.id, body }, signal);
        },
        settle: (webhook, fate) => webhooks.settle(webhook, fate, clock.now()),
        giveUp: async (_, { final }) => {
          if (final) await disable(place);
        },
        givenUp: () => givenUp('webhooks'),
        describe: ({ requestId }) => ({ interaction: requestId }),
      },
    ),
  );

  /** Webhooks for endpoints that the catalogue no longer lists can only be read. */
  const buryOrphans = async () => {
    for (const { accountId, url } of await webhooks.addresses()) {
      if (places.some(({ place }) => place.accountId === accountId && place.url === url)) continue;
      await webhooks.buryAll({ accountId, url }, clock.now(), 'endpoint_removed');
    }
  };
  let cleaning: Promise<void> | undefined;

  return {
    wake: (at) => {
      cleaning ??= buryOrphans().catch((fault) =>
        log.error({ ...faultFields(fault), component: 'webhooks' }, 'webhooks of endpoints that are no more were not put aside'),
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
