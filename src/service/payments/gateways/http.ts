// The generic connector: any payment provider, behind an endpoint of three calls that an operator writes for it. The
// README has its contract.
import { Agent, request } from 'undici';
import { z } from 'zod';
import { readJson } from '../../../platform/http/bounded-json.ts';
import { decimalsOf, plainAmount, unitsOf } from '../../core/money.ts';
import { type Gateway, GatewayFault, type Payment, verifySigned } from './gateway.ts';

const largest = 64 * 1024;
const identifier = z.string().regex(/^[\w.:-]{1,200}$/);
const made = z.object({ id: identifier, url: z.url({ protocol: /^https?$/ }).max(2000) });
const payment = z.object({
  status: z.enum(['open', 'processing', 'paid', 'closed']),
  reference: z.string().optional(),
  amount: z.string(),
  currency: z.string(),
  transactionId: z.string().min(1).max(200).optional(),
  receiptUrl: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .optional(),
});

/**
 * @param url - the base of the calls' paths
 * @param secret - authenticates us to it, and its webhooks to us
 */
export const makeHttpGateway = (url: string, secret: string): Gateway => {
  const agent = new Agent({ connect: { timeout: 3000 }, connections: 32, maxResponseSize: largest });
  const base = new URL(url).href.replace(/\/$/, '');

  const call = async <Shape>(
    schema: z.ZodType<Shape>,
    method: 'GET' | 'POST',
    path: string,
    sent: { key?: string; body?: object; signal: AbortSignal },
  ) => {
    let status: number;
    let bytes: ArrayBuffer;
    try {
      const response = await request(base + path, {
        method,
        dispatcher: agent,
        signal: sent.signal,
        headers: {
          authorization: `Bearer ${secret}`,
          accept: 'application/json',
          ...(sent.body && { 'content-type': 'application/json' }),
          ...(sent.key !== undefined && { 'idempotency-key': sent.key }),
        },
        body: sent.body ? JSON.stringify(sent.body) : null,
      });
      status = response.statusCode;
      bytes = await response.body.arrayBuffer();
    } catch (cause) {
      throw new GatewayFault('unreachable', { cause });
    }
    if (status === 429 || status >= 500) throw new GatewayFault('unreachable');
    if (status < 200 || status > 299) throw new GatewayFault('refused');
    const reading = readJson(new Uint8Array(bytes), 8);
    const parsed = schema.safeParse('value' in reading ? reading.value : undefined);
    if (!parsed.success) throw new GatewayFault('malformed');
    return parsed.data;
  };

  const read = (given: z.output<typeof payment>): Payment => {
    const decimals = decimalsOf(given.currency);
    const minor = decimals === undefined ? undefined : unitsOf(given.amount, decimals);
    if (given.status === 'paid' && given.transactionId === undefined) throw new GatewayFault('malformed');
    return {
      status: given.status,
      requestId: given.reference,
      money: minor === undefined ? undefined : { minor, currency: given.currency },
      transactionId: given.transactionId,
      receiptUrl: given.receiptUrl,
    };
  };
  const path = (id: string) => `/checkouts/${encodeURIComponent(id)}`;

  return {
    name: 'http',
    refuses: () => undefined,
    createCheckout: ({ key, requestId, title, description, money, language, backUrl, expiresAt }, signal) =>
      call(made, 'POST', '/checkouts', {
        key,
        signal,
        body: {
          reference: requestId,
          title,
          description,
          // A decimal as a string: as a floating-point number it could come back changed.
          amount: plainAmount(money),
          currency: money.currency,
          language,
          returnUrl: backUrl,
          expiresAt: new Date(expiresAt).toISOString(),
        },
      }),
    retrieve: async (id, signal) => read(await call(payment, 'GET', path(id), { signal })),
    expire: async (id, signal) => read(await call(payment, 'POST', `${path(id)}/expire`, { signal })),
    verifyWebhook: verifySigned(secret),
    close: () => agent.close(),
  };
};
