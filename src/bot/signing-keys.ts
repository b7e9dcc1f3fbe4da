// Tokens signed by Microsoft: the published keys, read when they are needed, and what every signature is held to.
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose';
import { Agent, type Dispatcher, fetch } from 'undici';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { HttpProblem } from '../platform/http-problem.ts';

export interface SigningKeysOptions {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  /** The OpenID metadata that names the keys. */
  readonly metadataUrl: string;
  /** For one request for keys, in milliseconds. */
  readonly deadline?: number;
}

/** What a token must say of itself. */
export interface Expected {
  readonly issuer: string | string[];
  readonly audience: string;
  readonly requiredClaims: string[];
}

/** A token whose signature, issuer, audience and time are right. */
export interface Signed {
  readonly claims: JWTPayload;
  /** The channels that its key is good for; empty for all of them. */
  readonly endorsements: readonly string[];
}

/** The connections to the publisher of the keys, bounded in number and in size of answers. */
export const makeAuthorityDispatcher = (): Agent =>
  new Agent({ allowH2: false, connect: { timeout: 3000 }, connections: 2, maxResponseSize: 1024 * 1024 });

/** The refusal of every fault of a token, always in the same words. */
export const unauthorized = () =>
  new HttpProblem(401, 'unauthorized', 'The request does not carry a valid token.', { headers: { 'WWW-Authenticate': 'Bearer' } });

const unavailable = () =>
  new HttpProblem(503, 'keys_unavailable', 'Requests cannot be authenticated at the moment. Please try again.', {
    headers: { 'Retry-After': '10' },
  });

/** The token in an `Authorization` header; `undefined` where none stands there. */
export const tokenIn = (authorization: string): string | undefined =>
  /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/.exec(authorization)?.[1];

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
 * Checks a token's signature, algorithm, issuer, audience and validity (5 minutes of skew).
 * @throws {HttpProblem} 401 with the same text for every fault of the token; 503 when the keys cannot be read now.
 */
export type CheckSignature = (token: string, expected: Expected) => Promise<Signed>;

export const makeSignatureCheck = ({ dispatcher, clock, metadataUrl, deadline = 5000 }: SigningKeysOptions): CheckSignature => {
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

  return async (token, expected) => {
    let claims: JWTPayload;
    try {
      const options = { ...expected, algorithms, clockTolerance: 300, currentDate: new Date(clock.now()) };
      claims = (await jwtVerify(token, await keySet(), options)).payload;
    } catch (fault) {
      throw tokenFaults.some((kind) => fault instanceof kind) ? unauthorized() : unavailable();
    }
    const { kid } = decodeProtectedHeader(token);
    const key = endorsed.safeParse(keys?.jwks()?.keys.find((candidate) => candidate.kid === kid));
    if (!key.success) throw unauthorized();
    return { claims, endorsements: key.data.endorsements ?? [] };
  };
};
