// The settings for signing in at the console, checked individually and together.
import { z } from 'zod';
import { type Environment, isInTheClear, readEnvironment, visible, words } from '../../../platform/settings/environment.ts';
import { issuer, type OpenIdClient, openIdScopes, roleValues } from '../../../platform/settings/openid.ts';
import type { Ranks } from '../../../sign-in/openid/claims.ts';
import type { Role } from '../store.ts';

/**
 * What the console needs to know about an OpenID provider: its address, our client, and which claims grant which role.
 */
export interface OpenIdSettings extends OpenIdClient {
  /** Values of the claim that grant the operator role. */
  readonly operators: readonly string[];
  /** Values of the claim that grant the viewer role, if none grants the operator role. */
  readonly viewers: readonly string[];
}

export const signInFields = {
  SERVICE_OIDC_ISSUER: issuer.optional(),
  SERVICE_OIDC_CLIENT_ID: visible.optional(),
  SERVICE_OIDC_CLIENT_SECRET: visible.optional(),
  SERVICE_OIDC_SCOPES: openIdScopes.default('openid profile email'),
  SERVICE_OIDC_ROLE_CLAIM: words.max(200, 'must have at most 200 characters').default('roles'),
  SERVICE_OIDC_OPERATORS: roleValues.default(['countersign-operator']),
  SERVICE_OIDC_VIEWERS: roleValues.default(['countersign-viewer']),
};

const needed = ['SERVICE_OIDC_ISSUER', 'SERVICE_OIDC_CLIENT_ID', 'SERVICE_OIDC_CLIENT_SECRET'] as const;
const further = ['SERVICE_OIDC_SCOPES', 'SERVICE_OIDC_ROLE_CLAIM', 'SERVICE_OIDC_OPERATORS', 'SERVICE_OIDC_VIEWERS'] as const;

/** Errors in combinations: a setting without the others, or an address to which sign-ins would go unencrypted. */
export const signInWrong = (set: Environment): string[] => {
  const given = [...needed, ...further].find((name) => set[name]);
  if (given === undefined) return [];
  const { NODE_ENV, SERVICE_PUBLIC_URL: publicUrl } = set;
  return [
    ...needed.filter((name) => !set[name]).map((name) => `${name}: must be set when ${given} is.`),
    // In production https is always required, which another check reports.
    ...(publicUrl && NODE_ENV !== 'production' && isInTheClear(publicUrl)
      ? [`SERVICE_PUBLIC_URL: must be an https address when ${given} is set, unless it is on this machine.`]
      : []),
  ];
};

/** The provider at which users sign in to the console, if there is one. */
export const openIdOf = (settings: z.output<z.ZodObject<typeof signInFields>>): OpenIdSettings | undefined => {
  const { SERVICE_OIDC_CLIENT_ID: clientId, SERVICE_OIDC_CLIENT_SECRET: clientSecret, SERVICE_OIDC_ISSUER } = settings;
  if (!SERVICE_OIDC_ISSUER || !clientId || !clientSecret) return undefined;
  const { SERVICE_OIDC_OPERATORS: operators, SERVICE_OIDC_ROLE_CLAIM: roleClaim, SERVICE_OIDC_SCOPES: scopes } = settings;
  return { issuer: SERVICE_OIDC_ISSUER, clientId, clientSecret, scopes, roleClaim, operators, viewers: settings.SERVICE_OIDC_VIEWERS };
};

/** Likewise, from an environment that need not have any other setting of the service. @throws {SettingsError} */
export const readOpenId = (environment: Environment): OpenIdSettings | undefined =>
  openIdOf(readEnvironment(z.object(signInFields), environment, () => []));

/** The claims required for each role. */
export const ranksOf = ({ operators, viewers }: OpenIdSettings): Ranks<Role> => [
  ['operator', operators],
  ['viewer', viewers],
];
