// Webhooks on their way: each endpoint has its own pace, so that one that is slow or away holds up no other.
import type { Clock } from '../../platform/clock.ts';
import { faultFields, type Log } from '../../platform/log.ts';
import type { Alarm } from '../alarm.ts';
import { makeScheduler, type Scheduler } from '../scheduler.ts';
import type { Storage } from '../store/index.ts';
import type { Endpoint, Webhook } from '../store/webhooks.ts';
import { type WebhookEndpoint, wants } from './endpoints.ts';
import { payloadOf } from './payload.ts';
import type { Post } from './post.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** The waits from one attempt to the next, in milliseconds (Standard Webhooks, specification: Deliverability and reliability). */
const waits: readonly number[] = [...[5 * second, 5 * minute, 30 * minute], ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
/** So much of a wait (a part of one) comes on top at random: what failed together does not come back together. */
const jitter = 0.2;
/** Posts to one endpoint at a time. */
const together = 8;

export interface WebhookDispatchOptions {
  readonly accountId: string;
  readonly endpoints: readonly WebhookEndpoint[];
  readonly storage: Pick<Storage, 'requests' | 'webhooks'>;
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
  const { accountId, endpoints, storage, post, documentUrl, clock, alarm, log, random = Math.random } = options;
  const { requests, webhooks } = storage;
  const stopped = new AbortController();

  const attempt = async (endpoint: WebhookEndpoint, webhook: Webhook) => {
    const { id, requestId, attempts } = webhook;
    const request = await requests.get(requestId);
    if (!request) return webhooks.arrived(id);
    const body = Buffer.from(JSON.stringify(payloadOf(webhook, request, documentUrl)));
    const posted = await post({ url: endpoint.url, keys: endpoint.keys, id, body }, stopped.signal);
    if (posted.arrived) return webhooks.arrived(id);
    // Cut off by our own stop, it says nothing of the endpoint: the next start posts it again, under the same identifier.
    if (stopped.signal.aborted) return;
    const { code, gone, retryAfterMs } = posted;
    const tries = attempts + 1;
    log.warn({ component: 'webhooks', interaction: requestId, code, attempt: tries }, 'a webhook did not arrive');
    const wait = waits[attempts];
    if (!gone && wait !== undefined) {
      return webhooks.postpone(id, tries, clock.now() + Math.max(retryAfterMs, wait * (1 + jitter * random())));
    }
    await webhooks.bury(id, tries, clock.now(), code);
    log.error({ component: 'webhooks', interaction: requestId, code, attempt: tries }, 'a webhook is given up');
    if (gone) await disable({ accountId, url: endpoint.url });
  };

  const disable = async (endpoint: Endpoint) => {
    log.error({ component: 'webhooks', code: 'endpoint_gone' }, 'an endpoint says that it is gone: nothing more is sent to it');
    await webhooks.disable(endpoint, clock.now());
    await webhooks.buryAll(endpoint, clock.now(), 'endpoint_gone');
  };

  const schedulers = endpoints.map((endpoint) => {
    const place = { accountId, url: endpoint.url };
    return makeScheduler({
      component: 'webhooks',
      clock,
      alarm,
      log,
      run: async (now) => {
        const due = await webhooks.due(place, now, together);
        if (due.length === 0 || stopped.signal.aborted) return;
        if (await webhooks.isDisabled(place)) await webhooks.buryAll(place, now, 'endpoint_gone');
        else await Promise.all(due.map((webhook) => attempt(endpoint, webhook)));
      },
      nextDue: () => webhooks.nextDue(place),
    });
  });

  /** What is on its way to endpoints that the catalogue no longer has can only be looked at. */
  const buryOrphans = async () => {
    for (const place of await webhooks.addresses()) {
      if (place.accountId === accountId && endpoints.some(({ url }) => url === place.url)) continue;
      await webhooks.buryAll(place, clock.now(), 'endpoint_removed');
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

/** The addresses that want to know of something, for whoever stores it. */
export const makeSubscribers =
  (accountId: string, endpoints: readonly WebhookEndpoint[]) =>
  (account: string, type: Parameters<typeof wants>[1]): readonly string[] =>
    account === accountId ? endpoints.filter((endpoint) => wants(endpoint, type)).map(({ url }) => url) : [];
