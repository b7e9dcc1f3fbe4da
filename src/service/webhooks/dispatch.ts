// Posts webhooks. Each endpoint has its own queue, so that a slow or failing one delays no other.

import type { Alarm } from '../../platform/alarm.ts';
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import { makeScheduler, type Scheduler } from '../../platform/scheduler.ts';
import { type Post, postPatienceMs } from '../../platform/webhook-post.ts';
import type { Accounts } from '../core/catalogue/accounts.ts';
import type { WebhookEndpoint } from '../core/catalogue/webhook-endpoints.ts';
import type { Storage } from '../core/store/index.ts';
import type { Endpoint, Webhook } from '../core/store/webhooks.ts';
import { payloadOf } from './payload.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits from one attempt to the next, in milliseconds (Standard Webhooks, Deliverability and reliability). */
const waits: readonly number[] = [...[5 * second, 5 * minute, 30 * minute], ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
/** The random share that is added to a wait, so that webhooks that failed together are not retried together. */
const jitter = 0.2;
/** Posts to one endpoint at a time. */
const together = 8;

/** How long (ms) a replica's claim on webhooks lasts; longer than an attempt may take. */
const claimMs = postPatienceMs + 5000;

export interface WebhookDispatchOptions {
  readonly accounts: Pick<Accounts, 'all'>;
  readonly storage: Pick<Storage, 'requests' | 'shared' | 'webhooks'>;
  readonly post: Post;
  readonly documentUrl: (requestId: string) => string;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** A number from 0 up to 1. */
  readonly random?: () => number;
}

/** Wakes, settles and stops all endpoints together. */
export const makeWebhookDispatch = (options: WebhookDispatchOptions): Scheduler => {
  const { accounts, storage, post, documentUrl, clock, alarm, log, random = Math.random } = options;
  const { requests, webhooks, shared } = storage;
  const stopped = new AbortController();

  const attempt = async (endpoint: WebhookEndpoint, webhook: Webhook) => {
    // If a process stalls and wakes up after its claim has ended, the webhook is another replica's.
    if (shared && clock.now() >= webhook.claim) return;
    const { id, accountId, requestId, attempts } = webhook;
    const request = await requests.get(requestId);
    if (!request) return webhooks.arrived(webhook);
    const body = Buffer.from(JSON.stringify(payloadOf(webhook, request, documentUrl)));
    const posted = await post({ url: endpoint.url, keys: endpoint.keys, id, body }, stopped.signal);
    if (posted.arrived) return webhooks.arrived(webhook);
    // A post that our own stop aborted says nothing about the endpoint: it is repeated under the same id.
    if (stopped.signal.aborted) return;
    const { code, gone, retryAfterMs } = posted;
    const tries = attempts + 1;
    log.warn({ component: 'webhooks', interaction: requestId, code, attempt: tries }, 'a webhook did not arrive');
    const wait = waits[attempts];
    if (!gone && wait !== undefined) {
      const later = Math.round(Math.max(retryAfterMs, wait * (1 + jitter * random())));
      return webhooks.postpone(webhook, tries, clock.now() + later);
    }
    await webhooks.bury(webhook, tries, clock.now(), code);
    log.error({ component: 'webhooks', interaction: requestId, code, attempt: tries }, 'a webhook is given up');
    if (gone) await disable({ accountId, url: endpoint.url });
  };

  const disable = async (place: Endpoint) => {
    log.error({ component: 'webhooks', code: 'endpoint_gone' }, 'an endpoint says that it is gone: nothing more is sent to it');
    await webhooks.disable(place, clock.now());
    await webhooks.buryAll(place, clock.now(), 'endpoint_gone');
  };

  const places = accounts.all.flatMap(({ account, webhooks: endpoints }) =>
    endpoints.map((endpoint) => ({ endpoint, place: { accountId: account.id, url: endpoint.url } })),
  );
  const schedulers = places.map(({ endpoint, place }) =>
    makeScheduler({
      component: 'webhooks',
      clock,
      alarm,
      log,
      shared,
      run: async (now) => {
        if (stopped.signal.aborted) return 0;
        const due = await webhooks.claimDue(place, now, now + claimMs, together);
        if (due.length === 0) return 0;
        if (await webhooks.isDisabled(place)) await webhooks.buryAll(place, now, 'endpoint_gone');
        else await Promise.all(due.map((webhook) => attempt(endpoint, webhook)));
        return due.length;
      },
      nextDue: () => webhooks.nextDue(place),
    }),
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
      stopped.abort();
      await Promise.all([cleaning, ...schedulers.map(({ stop }) => stop())]);
    },
  };
};
