// Webhook signatures by Standard Webhooks (standardwebhooks.com), made and checked: an HMAC over identifier, time and
// raw body.
import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sameBytes } from './sealing.ts';

/** How far clocks may differ and how old a webhook may be, in seconds (Standard Webhooks, verifying the timestamp). */
export const webhookToleranceSeconds = 300;

/** The signing key: the bytes of a secret as it is written, or those that it encodes. */
type Key = Buffer | string;

/** The key that a secret of the form `whsec_<base64>` encodes: 24 to 64 bytes; `undefined` for anything else. */
export const webhookKey = (secret: string): Buffer | undefined => {
  const encoded = /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/.exec(secret)?.[1];
  const key = encoded === undefined ? undefined : Buffer.from(encoded, 'base64');
  return key && key.length >= 24 && key.length <= 64 ? key : undefined;
};

const digest = (key: Key, id: string, seconds: string, raw: Buffer) =>
  createHmac('sha256', key).update(`${id}.${seconds}.`).update(raw).digest();

/**
 * The headers that sign a body with each of the keys: there are two while a secret is being changed. Without keys the
 * headers name the body, but do not sign it.
 */
export const signWebhook = (keys: Key | readonly Key[], id: string, raw: Buffer, now: number) => {
  const seconds = String(Math.floor(now / 1000));
  const signatures = [keys].flat().map((key) => `v1,${digest(key, id, seconds, raw).toString('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
};

/** The identifier of a body that is signed with the key, within the tolerance of `now`; undefined for any other. */
export const verifiedId = (key: Key, raw: Buffer, headers: IncomingHttpHeaders, now: number): string | undefined => {
  const [id, seconds, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers[name]);
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof given !== 'string') return undefined;
  if (!/^[\w.-]{1,200}$/.test(id) || !/^\d{1,12}$/.test(seconds) || given.length > 1000) return undefined;
  if (Math.abs(now / 1000 - Number(seconds)) > webhookToleranceSeconds) return undefined;
  const expected = digest(key, id, seconds, raw);
  // While a secret is being changed a sender signs with both, one after the other.
  const signed = given.split(' ').some((one) => one.startsWith('v1,') && sameBytes(Buffer.from(one.slice(3), 'base64'), expected));
  return signed ? id : undefined;
};
