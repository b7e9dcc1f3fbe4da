// An account's webhook endpoints: which addresses are allowed, and which events each subscribes to.
import { z } from 'zod';
import { webhookTypes } from '../../../contract/index.ts';
import { isLoopbackHost } from '../../../platform/outgoing/loopback.ts';
import { webhookKey } from '../../../platform/secrets/webhook-signature.ts';
import { describeIssues, plainly } from '../../../platform/settings/issues.ts';
import { SettingsError } from '../../../platform/settings/settings-error.ts';
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
type Endpoint = z.output<typeof endpoint>;

/** An endpoint, its secrets read. */
export interface WebhookEndpoint extends Omit<Endpoint, 'secrets'> {
  readonly keys: readonly Buffer[];
}

/** Reads the secrets that are kept elsewhere. `refuse` gets the fault of each. */
export const readEndpoint = (
  { secrets, ...endpoint }: Endpoint,
  places: Places,
  refuse: (position: number, message: string) => void,
): WebhookEndpoint => {
  const keys = secrets.flatMap((secret, position) => {
    try {
      return [Buffer.isBuffer(secret) ? secret : keyAt(secret, places)];
    } catch (fault) {
      if (!(fault instanceof SecretUnusable)) throw fault;
      refuse(position, fault.message);
      return [];
    }
  });
  return { ...endpoint, keys };
};

const keyAt = (place: Place, places: Places): Buffer => {
  const key = webhookKey(readPlace(place, places, 'secret'));
  if (key) return key;
  throw new SecretUnusable(`names a secret that is none: the ${placeName(place)} must hold ${form}`);
};

/** Public host names: no IP address, and no name of a private network. */
const publicName = /^https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*(?::\d{1,5})?(?:[/?]|$)/i;

/**
 * Refuses endpoints that would make the service call its own network. What a name resolves to is checked on connecting.
 * @throws {SettingsError} outside demo mode.
 */
export const checkEndpoints = (
  accounts: readonly { readonly catalogue: { readonly account: { readonly id: string }; readonly webhooks: readonly WebhookEndpoint[] } }[],
  demo: boolean,
) => {
  const refused = demo
    ? []
    : accounts.flatMap(({ catalogue: { account, webhooks } }) =>
        [...webhooks.entries()].filter(([, { url }]) => !publicName.test(url)).map(([index]) => `${account.id}: webhooks.${index}.url`),
      );
  if (refused.length === 0) return;
  throw new SettingsError(
    refused.map((place) => `SERVICE_CATALOGUE: ${place}: must be an https address with a public name outside demo mode.`),
  );
};
