// Identifies the calling program: the holder of the key, or a client to which an authorization server issued a token
// for this bot.
import { createHash } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../platform/clock.ts';
import { HttpProblem } from '../platform/http-problem.ts';
import type { HttpRequest } from '../platform/http-server.ts';
import { limitRate, type Rate } from '../platform/rate-limit.ts';
import { isTokenFault, makeAuthorityDispatcher, makeRemoteKeys } from '../platform/remote-keys.ts';
import { sameBytes } from '../platform/same-bytes.ts';
import type { CallingProgram } from './program.ts';

export interface ProgramAccess {
  /** The bearer key; unset: only tokens are accepted. */
  readonly key?: string | undefined;
  /** The authorization server whose access tokens (JWT) are accepted; unset: only the key is. */
  readonly issuer?: string | undefined;
  /** The audience that tokens must have. Unset: the address that was called. */
  readonly audience?: string | undefined;
}

/** How often one program may call, and how often somebody without a key may try. */
export interface AskingRates {
  readonly calls: Rate;
  readonly strangers: Rate;
}

export interface Authentication {
  /**
   * The program that calls `resource`, an address. `challenge`: the challenge of a refusal (RFC 6750, section 3).
   * @throws {HttpProblem} 401, 429; 503 if tokens cannot be checked now.
   */
  authenticate(request: Pick<HttpRequest, 'clientAddress' | 'headers'>, resource: string, challenge?: string): Promise<CallingProgram>;
  close(): Promise<void>;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
/** Public keys only: whoever can check a token with a shared secret could also make one. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const isJwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Where an issuer's metadata are (RFC 8414, section 3; OpenID Connect Discovery, section 4). */
const metadataOf = (issuer: string): string[] => {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
};

/** A name that does not reveal the subject, which may be a person. */
const nameOf = ({ iss, sub, client_id: client }: JWTPayload) =>
  `oauth-${sha256(JSON.stringify([iss, client, sub]))
    .toString('base64url')
    .slice(0, 22)}`;

export const makeAuthentication = (
  { audience, issuer, key }: ProgramAccess,
  { calls, strangers }: AskingRates,
  clock: Clock,
): Authentication => {
  const digest = key === undefined ? undefined : sha256(key);
  const dispatcher = makeAuthorityDispatcher();
  const keys = issuer === undefined ? undefined : makeRemoteKeys({ metadataUrls: metadataOf(issuer), issuer, dispatcher });
  const takeCall = limitRate(calls, 'too_many_requests', 'Too many requests. Please wait a moment.');
  const takeStranger = limitRate(strangers, 'too_many_requests', 'Too many requests without a key. Please wait a moment.');

  /** @throws {HttpProblem} 503 */
  const byToken = async (token: string, resource: string): Promise<CallingProgram | undefined> => {
    if (!keys || issuer === undefined || !isJwt.test(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, await keys(), {
        algorithms,
        issuer,
        audience: audience ?? resource,
        clockTolerance: 60,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.now()),
      });
      return { name: nameOf(payload) };
    } catch (fault) {
      if (isTokenFault(fault)) return undefined;
      throw new HttpProblem(503, 'keys_unavailable', 'Tokens cannot be checked at the moment. Please try again.', {
        headers: { 'Retry-After': '10' },
      });
    }
  };

  return {
    authenticate: async ({ clientAddress, headers }, resource, challenge = '') => {
      const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      const byKey = given !== undefined && digest !== undefined && sameBytes(sha256(given), digest);
      const program = byKey ? { name: 'key' } : given === undefined ? undefined : await byToken(given, resource);
      if (program) {
        await takeCall(program.name);
        return program;
      }
      await takeStranger(clientAddress);
      const said = [given !== undefined && 'error="invalid_token"', challenge].filter(Boolean).join(', ');
      throw new HttpProblem(401, 'unauthorized', 'Send the key, or a token for this bot, as Authorization: Bearer.', {
        headers: { 'WWW-Authenticate': said ? `Bearer ${said}` : 'Bearer' },
      });
    },
    close: () => dispatcher.destroy(),
  };
};
