// What the settings of signing in at the console must be, alone and together.
import { z } from 'zod';
import { isLoopbackHost } from '../platform/loopback.ts';

const hostOf = (url: string) => URL.parse(url)?.hostname;
const plainElsewhere = (url: string) => url.startsWith('http:') && !isLoopbackHost(hostOf(url));

/** The provider's own name for itself. People are believed on its word, so nobody may speak in its place. */
export const issuer = z
  .url({ protocol: /^https?$/, error: 'must be an address such as https://login.example.com', abort: true })
  .refine((url) => !/[?#@]/.test(url), 'must be an address without credentials, query or fragment')
  .refine((url) => !plainElsewhere(url), 'must be an https address, unless it is on this machine');

/** Scopes as a request has them (RFC 6749, 3.3). Without `openid` nobody signs in (OpenID Connect Core, 3.1.2.1). */
export const scopes = z
  .string()
  .trim()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, { error: 'must be scopes with a space between', abort: true })
  .refine((value) => value.split(' ').includes('openid'), 'must include openid');

/** Values of a claim, apart by commas: names of groups may have spaces. */
export const roleValues = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((values) => values.length > 0, 'must name values of the role claim, apart by commas');

const needed = ['SERVICE_OIDC_ISSUER', 'SERVICE_OIDC_CLIENT_ID', 'SERVICE_OIDC_CLIENT_SECRET'] as const;
const further = ['SERVICE_OIDC_SCOPES', 'SERVICE_OIDC_ROLE_CLAIM', 'SERVICE_OIDC_OPERATORS', 'SERVICE_OIDC_VIEWERS'] as const;

/** What is wrong only together: a part without the others, or an address that people's sign-ins would travel to in the clear. */
export const signInWrong = (set: Readonly<Record<string, string | undefined>>): string[] => {
  const given = [...needed, ...further].find((name) => set[name]);
  if (given === undefined) return [];
  const { NODE_ENV, SERVICE_PUBLIC_URL: address } = set;
  return [
    ...needed.filter((name) => !set[name]).map((name) => `${name}: must be set when ${given} is.`),
    // In production it must be https in any case, and is said to.
    ...(address && NODE_ENV !== 'production' && plainElsewhere(address)
      ? [`SERVICE_PUBLIC_URL: must be an https address when ${given} is set, unless it is on this machine.`]
      : []),
  ];
};
