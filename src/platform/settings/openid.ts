// The settings of an OpenID provider, and their forms.
import { z } from 'zod';
import { address, isInTheClear } from './environment.ts';

/** The provider's address, our identity there, and the claim with the roles. */
export interface OpenIdClient {
  /** The issuer identifier, exactly as the provider gives it. Plain http only on this machine. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * The scopes to request, separated by spaces: with `offline_access` where the provider needs it for refresh tokens.
   */
  readonly scopes: string;
  /** The name of the claim with the roles, or the path to it, with dots. */
  readonly roleClaim: string;
}

/** The provider's own identifier. Its word is trusted, so nobody may be able to impersonate it. */
export const issuer = address(/^https?$/, 'https://login.example.com').refine(
  (url) => !isInTheClear(url),
  'must be an https address, unless it is on this machine',
);

/** Scopes in the form of a request (RFC 6749, 3.3). */
export const scopes = z
  .string()
  .trim()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, { error: 'must be scopes separated by spaces', abort: true });

/** Scopes of a sign-in. `openid` is required (OpenID Connect Core, 3.1.2.1). */
export const openIdScopes = scopes.refine((value) => value.split(' ').includes('openid'), 'must include openid');

/** Values of a claim, separated by commas: names of groups may have spaces. */
export const roleValues = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((values) => values.length > 0, 'must name values of the role claim, separated by commas');
