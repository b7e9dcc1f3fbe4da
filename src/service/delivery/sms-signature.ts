// Twilio's request signatures (twilio.com/docs/usage/security, "Validating requests"): an HMAC-SHA1 over the address
// and the sorted parameters.
import { createHmac } from 'node:crypto';
import { sameBytes } from '../../platform/secrets/sealing.ts';

/**
 * The signature of a post: its full address, then every parameter's name and value in the order of the names, keyed by
 * the auth token.
 */
export const signCallback = (authToken: string, address: string, parameters: URLSearchParams): Buffer => {
  const sorted = [...parameters].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHmac('sha1', authToken)
    .update(address + sorted.map(([name, value]) => name + value).join(''), 'utf8')
    .digest();
};

/**
 * Whether a post is signed by the gateway, in constant time. It may have signed the address with its port or without.
 */
export const isSignedCallback = (authToken: string, address: URL, parameters: URLSearchParams, signature: unknown): boolean => {
  if (typeof signature !== 'string' || signature.length > 100) return false;
  const given = Buffer.from(signature, 'base64');
  const bare = new URL(address);
  bare.port = '';
  return [address.href, bare.href].some((href) => sameBytes(signCallback(authToken, href, parameters), given));
};
