// Access tokens for posting to channels: uses the Bot Framework's credentials, with one request at a time and a
// deadline.
import { LRUCache } from 'lru-cache';
import { withTimeout } from '../../platform/time/waits.ts';
import type { BotIdentitySettings } from '../refuse-unsafe.ts';
import { AuthenticationConstants, ConfigurationServiceClientCredentialFactory, type ServiceClientCredentialsFactory } from '../sdk.ts';

/** There is no access token. The message is the code; the cause, which may name the tenant, is for debugging. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code: 'token_refused' | 'token_timeout';
  /** The authority's stable error code (`invalid_client`, …), if it gave one. */
  readonly reason: string | undefined;
  constructor(code: TokenError['code'], { reason, cause }: { reason?: string | undefined; cause?: unknown } = {}) {
    super(code, { cause });
    this.code = code;
    this.reason = reason;
  }
}

export type AccessToken = ReturnType<ReturnType<typeof makeTokenSource>>;

type Credentials = { getToken(forceRefresh?: boolean): Promise<string> };

/**
 * A source of tokens per audience, cached until five minutes before they expire. Concurrent callers share one request;
 * one that hangs is given up at the deadline (ms), and the next caller starts another. `get` throws {@link TokenError}.
 * @param credentials - botbuilder's own factory: it knows passwords, tenants, managed identities and certificates
 * (decision 0004)
 */
export const makeTokenSource = (credentials: ServiceClientCredentialsFactory, appId: string, deadline = 8000) => {
  const forAudience = (audience: string) => {
    let known: Credentials | undefined;
    let pending: Promise<string> | undefined;
    let stale = false;

    const acquire = async (fresh: boolean): Promise<string> => {
      known ??= (await credentials.createCredentials(
        appId,
        audience,
        AuthenticationConstants.ToChannelFromBotLoginUrl,
        true,
      )) as unknown as Credentials;
      // AppCredentials keeps a token until five minutes before its end. Only a refused one is replaced early.
      return known.getToken(fresh);
    };

    const request = async (): Promise<string> => {
      const fresh = stale;
      try {
        const token = await withTimeout(acquire(fresh), deadline, () => {
          throw new TokenError('token_timeout');
        });
        if (fresh) stale = false;
        return token;
      } catch (cause) {
        throw cause instanceof TokenError ? cause : new TokenError('token_refused', { reason: reasonOf(cause), cause });
      } finally {
        pending = undefined;
      }
    };

    return {
      /** The bearer token to send. @throws when there is no token. */
      get: (): Promise<string> => {
        pending ??= request();
        return pending;
      },
      /** The token was refused: the next `get` returns a new one. */
      renew: (): void => {
        stale = true;
      },
    };
  };

  const tokens = new LRUCache<string, ReturnType<typeof forAudience>>({ max: 20, memoMethod: forAudience });
  return (audience: string) => tokens.memo(audience);
};

/** MSAL's `errorCode`; its messages quote the request. */
const reasonOf = (fault: unknown): string | undefined => {
  const { errorCode } = (fault ?? {}) as { errorCode?: unknown };
  return typeof errorCode === 'string' && /^[a-z0-9_]{1,64}$/i.test(errorCode) ? errorCode : undefined;
};

/** The Bot Framework's credentials for an identity. It rejects settings that are empty instead of absent. */
export const credentialsOf = ({ MicrosoftAppId, MicrosoftAppPassword, MicrosoftAppTenantId, MicrosoftAppType }: BotIdentitySettings) =>
  new ConfigurationServiceClientCredentialFactory({
    ...(MicrosoftAppId && { MicrosoftAppId }),
    ...(MicrosoftAppPassword && { MicrosoftAppPassword }),
    ...(MicrosoftAppTenantId && { MicrosoftAppTenantId }),
    ...(MicrosoftAppType && { MicrosoftAppType }),
  });

/** The token by which the bot posts to channels; `undefined` without an app id. */
export const botToken = (identity: BotIdentitySettings): AccessToken | undefined =>
  identity.MicrosoftAppId
    ? makeTokenSource(credentialsOf(identity), identity.MicrosoftAppId)(AuthenticationConstants.ToChannelFromBotOAuthScope)
    : undefined;
