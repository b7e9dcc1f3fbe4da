// The settings of signing in at the console: what each must be, alone and together.
import { z } from 'zod';
import { address, type Environment, isInTheClear, readEnvironment, visible, words } from '../../../platform/environment.ts';

/**
 * What the console needs to know about an OpenID provider: where it is, who we are there, and which claims grant which
 * role.
 */
export interface OpenIdSettings {
  /** The issuer identifier, exactly as the provider calls itself. Plain http only on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * The scopes to request, separated by spaces: with `offline_access` where the provider needs it for refresh tokens.
   */
  readonly scopes: string;
  /** The name of the claim that tells roles, or the way to it with dots between. */
  readonly roleClaim: string;
  /** Values of that claim that make an operator. */
  readonly operators: readonly string[];
  /** Values of it that make a viewer, where none makes an operator. */
  readonly viewers: readonly string[];
}

/** The provider's own name for itself. People are believed on its word, so nobody may speak in its place. */
const issuer = address(/^https?$/, 'https://login.example.com').refine(
  (url) => !isInTheClear(url),
  'must be an https address, unless it is on this machine',
);

/** Scopes as a request has them (RFC 6749, 3.3). Without `openid` nobody signs in (OpenID Connect Core, 3.1.2.1). */
const scopes = z
  .string()
  .trim()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, { error: 'must be scopes with a space between', abort: true })
  .refine((value) => value.split(' ').includes('openid'), 'must include openid');

/** Values of a claim, separated by commas: names of groups may have spaces. */
const roleValues = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((values) => values.length > 0, 'must name values of the role claim, separated by commas');

export const signInFields = {
  SERVICE_OIDC_ISSUER: issuer.optional(),
  SERVICE_OIDC_CLIENT_ID: visible.optional(),
  SERVICE_OIDC_CLIENT_SECRET: visible.optional(),
  SERVICE_OIDC_SCOPES: scopes.default('openid profile email'),
  SERVICE_OIDC_ROLE_CLAIM: words.max(200, 'must have 200 characters at most').default('roles'),
  SERVICE_OIDC_OPERATORS: roleValues.default(['countersign-operator']),
  SERVICE_OIDC_VIEWERS: roleValues.default(['countersign-viewer']),
};

const needed = ['SERVICE_OIDC_ISSUER', 'SERVICE_OIDC_CLIENT_ID', 'SERVICE_OIDC_CLIENT_SECRET'] as const;
const further = ['SERVICE_OIDC_SCOPES', 'SERVICE_OIDC_ROLE_CLAIM', 'SERVICE_OIDC_OPERATORS', 'SERVICE_OIDC_VIEWERS'] as const;

/**
 * What is wrong only in combination: a part without the others, or an address to which sign-ins would go unencrypted.
 */
export const signInWrong = (set: Environment): string[] => {
  const given = [...needed, ...further].find((name) => set[name]);
  if (given === undefined) return [];
  const { NODE_ENV, SERVICE_PUBLIC_URL: publicUrl } = set;
  return [
    ...needed.filter((name) => !set[name]).map((name) => `${name}: must be set when ${given} is.`),
    // In production it must be https in any case, and is said to.
    ...(publicUrl && NODE_ENV !== 'production' && isInTheClear(publicUrl)
      ? [`SERVICE_PUBLIC_URL: must be an https address when ${given} is set, unless it is on this machine.`]
      : []),
  ];
};

/** The provider that people sign in to the console at, if there is one. */
export const openIdOf = (settings: z.output<z.ZodObject<typeof signInFields>>): OpenIdSettings | undefined => {
  const { SERVICE_OIDC_CLIENT_ID: clientId, SERVICE_OIDC_CLIENT_SECRET: clientSecret, SERVICE_OIDC_ISSUER } = settings;
  if (!SERVICE_OIDC_ISSUER || !clientId || !clientSecret) return undefined;
  const { SERVICE_OIDC_OPERATORS: operators, SERVICE_OIDC_ROLE_CLAIM: roleClaim, SERVICE_OIDC_SCOPES: scopes } = settings;
  return { issuer: SERVICE_OIDC_ISSUER, clientId, clientSecret, scopes, roleClaim, operators, viewers: settings.SERVICE_OIDC_VIEWERS };
};

/** The same, read from an environment that need not have any other setting of the service. @throws {SettingsError} */
export const readOpenId = (environment: Environment): OpenIdSettings | undefined =>
  openIdOf(readEnvironment(z.object(signInFields), environment, () => []));
