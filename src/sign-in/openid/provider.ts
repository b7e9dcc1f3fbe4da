// The OpenID provider as we see it: discovered when it answers, asked for identities, and trusted only as far as
// openid-client has checked.
import type { Configuration, TokenEndpointResponse } from 'openid-client';
import { faultFields, type Log } from '../../platform/log.ts';
import type { OpenIdClient } from '../../platform/settings/openid.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { type Claims, isTelling } from './claims.ts';
import { discover, makeProviderAgent } from './discover.ts';
import { type Refusal, readRefusal } from './refusal.ts';

/**
 * The secrets of one sign-in: `state` ties the answer to it, `nonce` the ID token, `verifier` (PKCE, RFC 7636) the
 * code.
 */
export interface LoginState {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The tokens for asking the provider again about a person who has signed in. */
export interface ProviderTokens {
  readonly subject: string;
  readonly access: string;
  /** If the provider issues one. */
  readonly refresh?: string | undefined;
}

/** The provider's claims about a person, and the tokens for the next question. */
export interface IdentityAnswer {
  readonly claims: Claims;
  readonly tokens: ProviderTokens;
}

export type Provider = ReturnType<typeof openProvider>;

/** How long (ms) an unavailable provider is left alone, however many people want to sign in. */
export const pauseMs = 10_000;
/** How long (ms) the discovered data stay valid. */
const freshMs = 24 * 60 * 60_000;

const notFound: Refusal = { refused: 'unavailable', code: 'not_found' };

/**
 * Looks for the provider at once, and continues without it if it is unavailable.
 * @param component - the name of these pages in logs
 */
export const openProvider = (component: string, settings: OpenIdClient, clock: Clock, log: Log) => {
  const agent = makeProviderAgent();
  let known: { readonly configuration: Configuration; readonly at: number } | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;

  const look = async () => {
    try {
      known = { configuration: await discover(settings, agent), at: clock.now() };
      log.info({ component }, 'the OpenID provider is there: people can sign in');
    } catch (fault) {
      failedAt = clock.now();
      const code = await readRefusal(fault).then(
        (refusal) => refusal.code,
        () => 'unknown',
      );
      log.error({ ...faultFields(fault), component, reason: code }, 'the OpenID provider cannot be used: nobody can sign in');
    }
  };
  const find = async (): Promise<Configuration | undefined> => {
    const now = clock.now();
    const due = known === undefined || now - known.at >= freshMs;
    if (due && now - failedAt >= pauseMs) {
      looking ??= look().finally(() => {
        looking = undefined;
      });
    }
    // Known data is used while newer data is being fetched.
    if (known === undefined) await looking;
    return known?.configuration;
  };
  const ahead = find();

  /** Some providers keep ID tokens small, and give roles and names only on request. */
  const completeClaims = async (configuration: Configuration, claims: Claims, { subject, access }: ProviderTokens): Promise<Claims> => {
    if (configuration.serverMetadata().userinfo_endpoint === undefined || isTelling(claims, settings)) return claims;
    const openid = await import('openid-client');
    return { ...claims, ...(await openid.fetchUserInfo(configuration, access, subject)) };
  };
  const tokensOf = (subject: string, { access_token: access, refresh_token: refresh }: TokenEndpointResponse): ProviderTokens => ({
    subject,
    access,
    ...(refresh !== undefined && { refresh }),
  });

  return {
    /**
     * The address for signing in, and the secrets of the sign-in. `anew`: perhaps as another person. `undefined`: the
     * provider is unavailable.
     */
    beginLogin: async (redirect_uri: string, anew: boolean): Promise<{ readonly state: LoginState; readonly url: URL } | undefined> => {
      const configuration = await find();
      if (!configuration) return undefined;
      const openid = await import('openid-client');
      const state = { state: openid.randomState(), nonce: openid.randomNonce(), verifier: openid.randomPKCECodeVerifier() };
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: settings.scopes,
        state: state.state,
        nonce: state.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(state.verifier),
        code_challenge_method: 'S256',
        ...(anew && { prompt: 'login' }),
      });
      return { state, url };
    },

    /**
     * Completes a sign-in. `callback` is the whole address to which the browser came back; `idToken` identifies this
     * sign-in to the provider.
     */
    finishLogin: async (
      callback: URL,
      { state, nonce, verifier }: LoginState,
    ): Promise<(IdentityAnswer & { readonly idToken: string }) | Refusal> => {
      const configuration = await find();
      if (!configuration) return notFound;
      const openid = await import('openid-client');
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
        const tokens = await openid.authorizationCodeGrant(configuration, callback, checks);
        const claims = tokens.claims();
        if (!claims || tokens.id_token === undefined) return { refused: 'doubtful', code: 'no_id_token' };
        const own = tokensOf(claims.sub, tokens);
        return { claims: await completeClaims(configuration, claims, own), tokens: own, idToken: tokens.id_token };
      } catch (fault) {
        return readRefusal(fault);
      }
    },

    /**
     * The provider's current claims: by the refresh token, which is usually single-use, or by the access token while it
     * lasts.
     */
    again: async (tokens: ProviderTokens): Promise<IdentityAnswer | Refusal> => {
      const configuration = await find();
      if (!configuration) return notFound;
      const openid = await import('openid-client');
      const { subject, access, refresh } = tokens;
      try {
        if (refresh === undefined) return { claims: await openid.fetchUserInfo(configuration, access, subject), tokens };
        const answer = await openid.refreshTokenGrant(configuration, refresh);
        // A new ID token is optional (OpenID Connect Core, 12.2), but if there is one, it must be for the same person.
        const claims = answer.claims() ?? { sub: subject };
        if (claims.sub !== subject) return { refused: 'doubtful', code: 'other_subject' };
        const own = { ...tokensOf(subject, answer), refresh: answer.refresh_token ?? refresh };
        return { claims: await completeClaims(configuration, claims, own), tokens: own };
      } catch (fault) {
        return readRefusal(fault);
      }
    },

    /** The address for signing out. `undefined`: the provider has none, or is unavailable. */
    logoutUrl: async (idToken: string | undefined): Promise<URL | undefined> => {
      const configuration = await find();
      if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
      const openid = await import('openid-client');
      return openid.buildEndSessionUrl(configuration, idToken === undefined ? {} : { id_token_hint: idToken });
    },

    close: async (): Promise<void> => {
      await agent.destroy();
      await Promise.all([ahead, looking]);
    },
  };
};
