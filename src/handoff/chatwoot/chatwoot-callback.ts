// Chatwoot's callbacks. A callback is only a hint to read its conversation: a forged one causes a read and no more, and
// a lost one is made up for by the next one (decision 0130).
import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { readJson } from '../../platform/http/bounded-json.ts';
import { networkOf } from '../../platform/http/client-address.ts';
import { readBytes } from '../../platform/http/http-body.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { limitRate } from '../../platform/limits.ts';
import { rates } from '../../platform/rates.ts';
import { sameBytes } from '../../platform/secrets/sealing.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { HubOptions } from '../hub-options.ts';

/** A conversation with its last messages, some of which are long. */
const limits = { size: 512 * 1024, depth: 32 };
/** The maximum age (s) of a signed callback. */
const tolerance = 300;

/**
 * An event of a message contains its conversation; an event of a conversation is the conversation. The number is the
 * one in the conversation's URL.
 */
const event = z.union([
  z.object({ event: z.string().startsWith('message_'), conversation: z.object({ id: z.number().int() }) }),
  z.object({ event: z.string().startsWith('conversation_'), id: z.number().int() }),
]);

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/**
 * Whether one of the secrets signed the callback. Chatwoot signs the timestamp and the raw body, since 4.11 for an
 * account's webhooks and 4.13 for inboxes (github.com/chatwoot/chatwoot, pull requests 13573 and 13892).
 */
export const isSignedByChatwoot = (secrets: readonly string[], raw: Buffer, time: string, signature: string, now: number): boolean =>
  /^\d{1,12}$/.test(time) &&
  Math.abs(now / 1000 - Number(time)) <= tolerance &&
  secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(raw).digest('hex');
    return sameBytes(sha256(signature), sha256(`sha256=${expected}`));
  });

/** Any other key in the callback's address gets a 404. `hint` is called with the conversation's number. */
export const addChatwootCallback = (
  http: Pick<HttpServer, 'route'>,
  { key, secrets = [] }: NonNullable<HubOptions['chatwoot']>,
  hint: (place: string) => Promise<boolean>,
  clock: Clock,
): void => {
  const digest = sha256(key);
  const takeCall = limitRate(rates.calls, 'too_many_requests', 'Too many callbacks. Please wait a moment.');
  const takeStranger = limitRate(rates.strangers, 'too_many_requests', 'Too many requests. Please wait a moment.');
  const one = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '');

  http.route(
    'POST',
    '/chatwoot/callback/:key',
    async ({ clientAddress, headers, params, raw }) => {
      if (!sameBytes(sha256(params.key ?? ''), digest)) {
        await takeStranger(networkOf(clientAddress));
        throw new HttpProblem(404, 'not_found', 'There is nothing at this address.');
      }
      await takeCall('chatwoot');
      const body = await readBytes(raw, limits);
      const { 'x-chatwoot-signature': signature, 'x-chatwoot-timestamp': time } = headers;
      if (secrets.length > 0 && !isSignedByChatwoot(secrets, body, one(time), one(signature), clock.now()))
        throw new HttpProblem(401, 'unsigned', 'The callback is not signed with a secret that is known here.');
      const reading = readJson(body, limits.depth);
      const told = 'value' in reading ? event.safeParse(reading.value).data : undefined;
      // An unknown event gets a 204 too: for any other status Chatwoot would mark the message as failed.
      if (told) await hint(String('conversation' in told ? told.conversation.id : told.id));
      return { status: 204 };
    },
    { body: 'none', limits },
  );
};
