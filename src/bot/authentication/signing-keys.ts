// Tokens signed by Microsoft: reads the published keys when they are needed, and checks every signature.
import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import { isTokenFault, keysUnavailable, makeRemoteKeys, type RemoteKeys } from '../../platform/outgoing/remote-keys.ts';
import type { Clock } from '../../platform/time/clock.ts';

/** How keys are read. `deadline`: the limit for one request for keys, in milliseconds. */
export type KeyReading = { readonly dispatcher: Dispatcher; readonly clock: Clock; readonly deadline?: number };

/** The claims required of a token. */
type Expected = { readonly issuer: string | string[]; readonly audience: string; readonly requiredClaims: string[] };

/** The refusal of every faulty token, always in the same words. */
export const unauthorized = () =>
  new HttpProblem(401, 'unauthorized', 'The request does not carry a valid token.', { headers: { 'WWW-Authenticate': 'Bearer' } });

const unavailable = () =>
  new HttpProblem(503, keysUnavailable, 'Requests cannot be authenticated at the moment. Please try again.', {
    headers: { 'Retry-After': '10' },
  });

/** The token in an `Authorization` header; `undefined` if there is none. */
export const tokenIn = (authorization: string): string | undefined =>
  /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/.exec(authorization)?.[1];

const algorithms = ['RS256', 'RS384', 'RS512'];
/** A key may be valid for some channels only. The Bot Connector lists them in a member that JWK does not have. */
const endorsed = z.object({ endorsements: z.array(z.string()).optional() });

/**
 * Checks a token's signature, algorithm, issuer, audience and validity (5 minutes of skew). Returns its claims, and the
 * channels that its key is valid for; none: all of them.
 * @param metadataUrl - the OpenID metadata that names the keys
 * @throws {HttpProblem} 401 with the same text for every fault of the token; 503 if the keys cannot be read now.
 */
export const makeSignatureCheck = (metadataUrl: string, { dispatcher, clock, deadline }: KeyReading) => {
  const keySet = makeRemoteKeys([metadataUrl], undefined, dispatcher, deadline);

  return async (token: string, expected: Expected) => {
    let keys: RemoteKeys;
    let claims: JWTPayload;
    try {
      keys = await keySet();
      const options = { ...expected, algorithms, clockTolerance: 300, currentDate: new Date(clock.now()) };
      claims = (await jwtVerify(token, keys, options)).payload;
    } catch (fault) {
      throw isTokenFault(fault) ? unauthorized() : unavailable();
    }
    const { kid } = decodeProtectedHeader(token);
    const key = endorsed.safeParse(keys.jwks()?.keys.find((candidate) => candidate.kid === kid));
    if (!key.success) throw unauthorized();
    return { claims, endorsements: key.data.endorsements ?? [] };
  };
};
