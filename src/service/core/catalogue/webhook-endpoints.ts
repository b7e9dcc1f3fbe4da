// An account's webhook endpoints: which addresses are allowed, and which events each subscribes to.
import { z } from 'zod';
import { webhookTypes } from '../../../contract/index.ts';
import { isLoopbackHost } from '../../../platform/outgoing/loopback.ts';
import { webhookKey } from '../../../platform/secrets/webhook-signature.ts';
import { describeIssues, plainly } from '../../../platform/settings/issues.ts';
import { type Place, type Places, placeFields, placeName, readPlace, SecretUnusable } from './places.ts';

const form = 'whsec_ and the base64 of 24 to 64 random bytes';

const written = z.string().transform((value, context) => {
  const key = webhookKey(value);
  if (key) return key;
  context.addIssue({ code: 'custom', message: `must be ${form}` });
  return z.NEVER;
});

const named = z
  .strictObject(placeFields)
  .refine(({ env, file }) => (env === undefined) !== (file === undefined), { message: 'must have either env or file' });

/** A secret, or its place. Distinguished first, so that errors are about the right one. */
const secret = z.unknown().transform((given, context): Buffer | Place => {
  const parsed = (typeof given === 'string' ? written : named).safeParse(given, { error: plainly });
  if (parsed.success) return parsed.data;
  for (const { path, message } of describeIssues(parsed.error)) {
    context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message });
  }
  return z.NEVER;
});

/** An endpoint as the catalogue has it. Each of several secrets makes a signature, so that secrets can be rotated. */
export const endpoint = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an https address', abort: true })
      .max(500, 'must have 500 characters at most')
      .refine((url) => !/[#@\s\\]/.test(url), 'must be an address without credentials or fragment')
      .refine((url) => url.startsWith('https:') || isLoopbackHost(URL.parse(url)?.host), 'must be an https address'),
    secret: z.preprocess((given) => (given === undefined || Array.isArray(given) ? given : [given]), z.array(secret).min(1).max(3)),
    /** The subscribed events. Unset: all. */
    events: z.array(z.enum(webhookTypes, 'must be one of the events that there are')).min(1).optional(),
  })
  .transform(({ secret, ...given }) => ({ ...given, secrets: secret }));
/** An endpoint, its secrets read. */
export type WebhookEndpoint = Omit<z.output<typeof endpoint>, 'secrets'> & { readonly keys: readonly Buffer[] };

/** The key of a signature. @throws {SecretUnusable} saying what is wrong with its place. */
export const readSecret = (secret: Buffer | Place, places: Places): Buffer => {
  if (Buffer.isBuffer(secret)) return secret;
  const key = webhookKey(readPlace(secret, places, 'secret'));
  if (key) return key;
  throw new SecretUnusable(`names a secret that is none: the ${placeName(secret)} must hold ${form}`);
};
