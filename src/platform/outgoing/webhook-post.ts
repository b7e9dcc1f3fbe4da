// Posts a webhook: one request, signed, with a deadline, no redirects, and only to the public internet.
import { Agent } from 'undici';
import type { Failure } from '../retry-queue.ts';
import { signWebhook } from '../secrets/webhook-signature.ts';
import type { Clock } from '../time/clock.ts';
import { retryAfter } from './exchange.ts';
import { addressRefused, isPublicAddress, makeGuardedLookup } from './guarded-lookup.ts';

/** The result of posting one. A `final` failure means that the endpoint wants no more. */
export type Posted = { readonly done: true } | Failure;

/** Posts a webhook. Never throws. `id`: the same in all attempts. */
export type Post = (
  webhook: { readonly url: string; readonly keys: readonly Buffer[]; readonly id: string; readonly body: Buffer },
  signal: AbortSignal,
) => Promise<Posted>;

/** How long an endpoint may take, in milliseconds: within the 15 to 30 seconds that the specification advises. */
export const postPatienceMs = 15_000;
const maxAnswer = 64 * 1024;

/**
 * The connections of webhooks. Outside demo mode, names that resolve to a private address are refused on every
 * connection.
 */
export const makeWebhookAgent = (demo: boolean, resolve?: Parameters<typeof makeGuardedLookup>[1]): Agent =>
  new Agent({
    allowH2: false,
    connect: { timeout: 5000, ...(!demo && { lookup: makeGuardedLookup(isPublicAddress, resolve) }) },
    connections: 8,
    headersTimeout: postPatienceMs,
    bodyTimeout: postPatienceMs,
    maxResponseSize: maxAnswer,
  });

export const makePost =
  (agent: Agent, clock: Clock): Post =>
  async ({ url, keys, id, body }, signal) => {
    const deadline = AbortSignal.timeout(postPatienceMs);
    try {
      const { pathname, search, origin } = new URL(url);
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        signal: AbortSignal.any([deadline, signal]),
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Countersign-Webhooks/1',
          ...signWebhook(keys, id, body, clock.now()),
        },
        body,
      });
      const { statusCode: status, headers } = answer;
      // Only the status counts; the body is ignored and must not be able to change the result.
      await answer.body.dump({ limit: maxAnswer, signal: deadline }).catch(() => {});
      if (status >= 200 && status <= 299) return { done: true };
      const wait = retryAfter(one(headers['retry-after']), one(headers.date), clock.now());
      return { code: `http_${status}`, final: status === 410, retryAfterMs: wait };
    } catch (fault) {
      const { code } = fault as { code?: unknown };
      if (deadline.aborted) return { code: 'timeout' };
      return { code: code === addressRefused ? 'address_refused' : 'unreachable' };
    }
  };

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header);
