// The three gateways, each with access to its other side: the customer's actions, and faults.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { makeLog } from '../../src/platform/log.ts';
import { signWebhook } from '../../src/platform/secrets/webhook-signature.ts';
import { makeRandom } from '../../src/service/core/secrets/random.ts';
import { makeSeal } from '../../src/service/core/secrets/seal.ts';
import { openStorage } from '../../src/service/core/store/index.ts';
import type { Gateway } from '../../src/service/payments/gateways/gateway.ts';
import { makeHttpGateway } from '../../src/service/payments/gateways/http.ts';
import { makeSandbox } from '../../src/service/payments/gateways/sandbox.ts';
import { makeStripe } from '../../src/service/payments/gateways/stripe.ts';
import { connectorSecret, openConnector } from './connector-server.ts';
import { acceptance } from './stored-request.ts';
import { openStripe, stripeKey } from './stripe-server.ts';

export interface Webhook {
  readonly raw: Buffer;
  readonly headers: Record<string, string>;
}

export interface GatewayWorld {
  readonly gateway: Gateway;
  /** The customer pays a checkout at the gateway. */
  pay(id: string): Promise<void>;
  /** Makes every answer fail with this status, until called with undefined. Absent for a gateway without a network. */
  readonly refuse?: (status: number | undefined) => void;
  /** Changes the gateway's answers about checkouts. Absent likewise. */
  readonly bend?: (change: object | undefined) => void;
  /** The gateway's webhook about a change of a checkout. */
  webhook(checkoutId: string, eventId: string, at: number, secret?: string): Webhook;
  /** An amount in euros in the form of its answers, for `bend`. */
  readonly told?: (cents: number) => object;
  close(): Promise<void>;
}

export const stripeSecret = 'whsec_local';
export const requestId = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';

const openStripeWorld = async (): Promise<GatewayWorld> => {
  const server = await openStripe();
  const { webhooks } = new Stripe(stripeKey);
  return {
    gateway: makeStripe(stripeKey, stripeSecret, server.url),
    pay: async (id) => server.pay(id),
    refuse: server.refuse,
    bend: (change) => server.bend(change && (() => change)),
    told: (cents) => ({ amount_total: cents }),
    webhook: (checkoutId, eventId, at, secret = stripeSecret) => {
      const payload = JSON.stringify({
        id: eventId,
        object: 'event',
        type: 'checkout.session.completed',
        created: Math.floor(at / 1000),
        data: { object: { id: checkoutId, object: 'checkout.session' } },
      });
      const header = webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) });
      return { raw: Buffer.from(payload), headers: { 'stripe-signature': header } };
    },
    close: server.close,
  };
};

const openHttpWorld = async (): Promise<GatewayWorld> => {
  const server = await openConnector();
  const gateway = makeHttpGateway(server.url, connectorSecret);
  return {
    gateway,
    pay: async (id) => server.pay(id),
    refuse: server.refuse,
    bend: (change) => server.bend(change && (() => change)),
    told: (cents) => ({ amount: (cents / 100).toFixed(2) }),
    webhook: (checkoutId, eventId, at, secret = connectorSecret) => {
      const raw = Buffer.from(JSON.stringify({ checkoutId }));
      return { raw, headers: signWebhook(secret, eventId, raw, at) };
    },
    close: async () => {
      await gateway.close?.();
      await server.close();
    },
  };
};

const openSandboxWorld = async (): Promise<GatewayWorld> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-sandbox-'));
  const random = makeRandom();
  const storage = await openStorage({
    dataDir: folder,
    url: undefined,
    newId: random.id,
    seal: makeSeal('the-pepper-of-this-test-and-no-other'),
    log: makeLog('silent'),
  });
  const { request, ...accepted } = acceptance(requestId);
  await storage.requests.accept({ ...accepted, request: { ...request, app: 'payments' }, messages: [] });
  const secret = 'sandbox-secret';
  const sandbox = makeSandbox({ storage, random, publicUrl: () => new URL('http://localhost:4010') }, secret);
  return {
    gateway: sandbox.gateway,
    pay: async (id) => void (await sandbox.move(id, ['open'], 'paid', 'sandbox-1')),
    webhook: (checkoutId, eventId, at, other = secret) => {
      const raw = Buffer.from(JSON.stringify({ checkoutId }));
      return { raw, headers: signWebhook(other, eventId, raw, at) };
    },
    close: async () => {
      await storage.close();
      rmSync(folder, { recursive: true });
    },
  };
};

export const gatewayWorlds = { sandbox: openSandboxWorld, stripe: openStripeWorld, http: openHttpWorld };
