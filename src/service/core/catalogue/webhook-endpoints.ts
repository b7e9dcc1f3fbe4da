// An account's webhook endpoints: which addresses are allowed, and which events each subscribes to.
import { z } from 'zod';
import { webhookTypes } from '../../../contract/index.ts';
import { isLoopbackHost } from '../../../platform/outgoing/loopback.ts';
import { webhookKey } from '../../../platform/secrets/webhook-signature.ts';
import { describeIssues, plainly } from '../../../platform/settings/issues.ts';
import { distinct } from './fields.ts';
import { type Places, placeFields, secretAt } from './secrets.ts';

const form = 'whsec_ and the base64 of 24 to 64 random bytes';
const kind = { what: 'secret', form, read: webhookKey } as const;

const written = z.string().transform((value, context) => {
  const key = webhookKey(value);
  if (!key) context.addIssue({ code: 'custom', message: `must be ${form}` });
  return key ?? z.NEVER;
});

const named = z
  .strictObject(placeFields)
  .refine(({ env, file }) => (env === undefined) !== (file === undefined), { message: 'must have either env or file' });

/** The endpoints, each with the keys of its signatures: several, so that secrets can be rotated. None without places. */
export const endpoints = (places: Places | undefined) => {
  // Written or named: distinguished first, so that errors are about the right one.
  const secret = z.unknown().transform((given, context): Buffer => {
    const one = named.transform((place, inner) => (places ? secretAt(place, places, kind, inner) : Buffer.alloc(0)));
    const parsed = (typeof given === 'string' ? written : one).safeParse(given, { error: plainly });
    if (parsed.success) return parsed.data;
    for (const { path, message } of describeIssues(parsed.error)) {
      context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message });
    }
    return z.NEVER;
  });
  const endpoint = z
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
    .transform(({ secret: keys, ...given }) => ({ ...given, keys }));
  return z
    .array(endpoint)
    .max(10)
    .superRefine(distinct(({ url }) => url, ['url']))
    .default([])
    .transform((all) => (places ? all : []));
};
/** An endpoint, its secrets read. */
export type WebhookEndpoint = z.output<ReturnType<typeof endpoints>>[number];
