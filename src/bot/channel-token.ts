// Proof that an activity comes from the Bot Connector service (learn.microsoft.com, "Authenticate requests from the Bot
// Connector service").
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { HttpProblem } from '../platform/http-problem.ts';
import { isTokenFault, makeRemoteKeys, type RemoteKeys } from '../platform/remote-keys.ts';

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
/** A key may be valid for some channels only. The Bot Connector says so in a member that JWK does not have. */
const endorsed = z.object({ endorsements: z.array(z.string()).optional() });

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
  deadline,
}: ChannelTokenOptions): ChannelTokenCheck => {
  const keySet = makeRemoteKeys({ metadataUrls: [metadataUrl], dispatcher, deadline });

  const endorses = (keys: RemoteKeys, kid: string | undefined, channelId: string): boolean => {
    const key = endorsed.safeParse(keys.jwks()?.keys.find((candidate) => candidate.kid === kid));
    if (!key.success) return false;
    const { endorsements = [] } = key.data;
    return endorsements.length === 0 || endorsements.includes(channelId);
  };

  return async (authorization, { channelId, serviceUrl }) => {
    const token = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/.exec(authorization)?.[1];
    if (!token) throw unauthorized();
    let keys: RemoteKeys;
    let payload: JWTPayload;
    try {
      keys = await keySet();
      const verified = await jwtVerify(token, keys, {
        algorithms,
        issuer,
        audience: appId,
        clockTolerance: 300,
        requiredClaims: ['exp', 'serviceurl'],
        currentDate: new Date(clock.now()),
      });
      payload = verified.payload;
    } catch (fault) {
      throw isTokenFault(fault) ? unauthorized() : unavailable();
    }
    if (payload.serviceurl !== serviceUrl || !endorses(keys, decodeProtectedHeader(token).kid, channelId)) throw unauthorized();
    return payload;
  };
};
