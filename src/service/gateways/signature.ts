// Webhook signatures as Standard Webhooks has them (standardwebhooks.com): an HMAC over identifier, time and raw body.
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sameBytes } from '../seal.ts';
import { webhookToleranceSeconds } from './gateway.ts';

const digest = (secret: string, id: string, seconds: string, raw: Buffer) =>
  createHmac('sha256', secret).update(`${id}.${seconds}.`).update(raw).digest();

/** The headers that sign a body. */
export const signWebhook = (secret: string, id: string, raw: Buffer, now: number) => {
  const seconds = String(Math.floor(now / 1000));
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${digest(secret, id, seconds, raw).toString('base64')}`,
  };
};

/** The identifier of a body that is signed with the secret, within the tolerance of `now`; undefined for any other. */
export const verifiedId = (secret: string, raw: Buffer, headers: IncomingHttpHeaders, now: number): string | undefined => {
  const [id, seconds, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof given !== 'string') return undefined;
  if (!/^[\w.-]{1,200}$/.test(id) || !/^\d{1,12}$/.test(seconds) || given.length > 1000) return undefined;
  if (Math.abs(now / 1000 - Number(seconds)) > webhookToleranceSeconds) return undefined;
  const expected = digest(secret, id, seconds, raw);
  // While a secret is being changed a sender signs with both, one after the other.
  const signed = given.split(' ').some((one) => one.startsWith('v1,') && sameBytes(Buffer.from(one.slice(3), 'base64'), expected));
  return signed ? id : undefined;
};
