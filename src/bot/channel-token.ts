// Proof that an activity comes from the Bot Connector service (learn.microsoft.com, "Authenticate requests from the Bot
// Connector service").
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import { Agent, type Dispatcher, fetch } from 'undici';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { HttpProblem } from '../platform/http-problem.ts';

/** The public cloud's Bot Connector: where it publishes its keys, and its issuer. */
const botConnector = {
  issuer: 'https://api.botframework.com',
  metadataUrl: 'https://login.botframework.com/v1/.well-known/openidconfiguration',
} as const;

export interface ChannelTokenOptions {
  /** Our app id: the audience that every token must have. */
  readonly appId: string;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly issuer?: string;
  readonly metadataUrl?: string;
  /** For one request for keys, in milliseconds. */
  readonly deadline?: number;
}

/** The connections to the publisher of the keys, bounded in number and in size of answers. */
export const makeAuthorityDispatcher = (): Agent =>
  new Agent({ allowH2: false, connect: { timeout: 3000 }, connections: 2, maxResponseSize: 1024 * 1024 });

/** The parts of an activity that its token must vouch for. */
interface Vouched {
  readonly channelId: string;
  readonly serviceUrl: string;
}

/**
 * Returns the claims of an `Authorization` header that vouches for the activity.
 * @throws {HttpProblem} 401 with the same text for every fault of the token; 503 when the keys cannot be read now.
 */
export type ChannelTokenCheck = (authorization: string, activity: Vouched) => Promise<JWTPayload>;

const unauthorized = () =>
  new HttpProblem(401, 'unauthorized', 'The request does not carry a valid token.', { headers: { 'WWW-Authenticate': 'Bearer' } });

const unavailable = () =>
  new HttpProblem(503, 'keys_unavailable', 'Requests cannot be authenticated at the moment. Please try again.', {
    headers: { 'Retry-After': '10' },
  });

const algorithms = ['RS256', 'RS384', 'RS512'];
const aDay = 24 * 60 * 60_000;
const metadata = z.object({ jwks_uri: z.url() });
/** A key may be valid for some channels only. The Bot Connector says so in a member that JWK does not have. */
const endorsed = z.object({ endorsements: z.array(z.string()).optional() });

/** Faults of the token. Any other fault is ours or the network's. */
const tokenFaults: readonly (abstract new (...args: never[]) => Error)[] = [
  joseErrors.JOSEAlgNotAllowed,
  joseErrors.JOSENotSupported,
  joseErrors.JWKSMultipleMatchingKeys,
  joseErrors.JWKSNoMatchingKey,
  joseErrors.JWSInvalid,
  joseErrors.JWSSignatureVerificationFailed,
  joseErrors.JWTClaimValidationFailed,
  joseErrors.JWTExpired,
  joseErrors.JWTInvalid,
];

/**
 * Checks signature, algorithm, issuer, audience, validity (5 minutes of skew), the serviceUrl claim and the key's
 * endorsement of the channel. Stricter than the stock check on purpose (decision 0004): tokens of emulators, skills and
 * other tenants are refused.
 */
export const makeChannelTokenCheck = ({
  appId,
  dispatcher,
  clock,
  issuer = botConnector.issuer,
  metadataUrl = botConnector.metadataUrl,
  deadline = 5000,
}: ChannelTokenOptions): ChannelTokenCheck => {
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  let reading: Promise<ReturnType<typeof createRemoteJWKSet>> | undefined;

  const readMetadata = async () => {
    const response = await fetch(metadataUrl, { dispatcher, redirect: 'error', signal: AbortSignal.timeout(deadline) });
    if (!response.ok) throw new Error(`the OpenID metadata answered ${response.status}`);
    const { jwks_uri } = metadata.parse(await response.json());
    return createRemoteJWKSet(new URL(jwks_uri), {
      cacheMaxAge: aDay,
      // An unknown key id may belong to a new key or be invented, so the keys are read again twice a minute at most.
      cooldownDuration: 30_000,
      timeoutDuration: deadline,
      [customFetch]: async (url, { headers, ...options }) =>
        (await fetch(url, { ...options, headers: [...headers], dispatcher })) as unknown as Response,
    });
  };

  const keySet = async () => {
    if (keys) return keys;
    reading ??= readMetadata().finally(() => {
      reading = undefined;
    });
    keys = await reading;
    return keys;
  };

  const endorses = (kid: string | undefined, channelId: string): boolean => {
    const key = endorsed.safeParse(keys?.jwks()?.keys.find((candidate) => candidate.kid === kid));
    if (!key.success) return false;
    const { endorsements = [] } = key.data;
    return endorsements.length === 0 || endorsements.includes(channelId);
  };

  return async (authorization, { channelId, serviceUrl }) => {
    const token = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/.exec(authorization)?.[1];
    if (!token) throw unauthorized();
    let payload: JWTPayload;
    try {
      const verified = await jwtVerify(token, await keySet(), {
        algorithms,
        issuer,
        audience: appId,
        clockTolerance: 300,
        requiredClaims: ['exp', 'serviceurl'],
        currentDate: new Date(clock.now()),
      });
      payload = verified.payload;
    } catch (fault) {
      throw tokenFaults.some((kind) => fault instanceof kind) ? unauthorized() : unavailable();
    }
    if (payload.serviceurl !== serviceUrl || !endorses(decodeProtectedHeader(token).kid, channelId)) throw unauthorized();
    return payload;
  };
};
