// Identifies the calling program: the holder of the key, or a client to which an authorization server issued a token
// for this bot.
import { createHash } from 'node:crypto';
import { type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import { networkOf } from '../platform/http/client-address.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { HttpRequest } from '../platform/http/http-server.ts';
import { limitFailures, limitRate, type Rate } from '../platform/limits.ts';
import { isTokenFault, keysUnavailable, makeAuthorityDispatcher, makeRemoteKeys } from '../platform/outgoing/remote-keys.ts';
import { rates } from '../platform/rates.ts';
import { sameBytes } from '../platform/secrets/sealing.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { ProgramsOptions } from './options.ts';
import type { CallingProgram } from './program.ts';

export type Authentication = ReturnType<typeof makeAuthentication>;

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

/**
 * A name that does not reveal the subject, which may be a person. The client is named by `client_id` (RFC 9068), or by
 * what Keycloak and Entra ID (`azp`, `appid`) or Okta (`cid`) have instead.
 */
const nameOf = ({ iss, sub, client_id, azp, appid, cid }: JWTPayload) =>
  `oauth-${sha256(JSON.stringify([iss, client_id ?? azp ?? appid ?? cid, sub]))
    .toString('base64url')
    .slice(0, 22)}`;

/**
 * Whether it is an access token for its bearer: not a token of another kind by the same issuer (RFC 8725, section 3.11),
 * nor one that only the holder of a key or certificate may use (RFC 7800), which is not proved here.
 */
const isForBearer = ({ cnf }: JWTPayload, { typ }: JWTHeaderParameters) =>
  cnf === undefined && (typ === undefined || /^(?:application\/)?(?:at\+)?jwt$/i.test(typ));

/** The scopes of a token (RFC 9068, section 2.2.3); Entra ID and Okta have them in `scp`. */
const scopesOf = ({ scope, scp }: JWTPayload): string[] =>
  [scope, scp].flat().flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));

/**
 * @param calls - how often one program may call
 * @param strangers - how often somebody without a key may try
 */
export const makeAuthentication = (
  { audience, issuer, key, scope }: ProgramsOptions,
  { calls, strangers }: Readonly<Record<'calls' | 'strangers', Rate>>,
  clock: Clock,
) => {
  const digest = key === undefined ? undefined : sha256(key);
  const dispatcher = makeAuthorityDispatcher();
  const keys = issuer === undefined ? undefined : makeRemoteKeys(metadataOf(issuer), issuer, dispatcher);
  const takeCall = limitRate(calls, 'too_many_requests', 'Too many requests. Please wait a moment.');
  const takeStranger = limitRate(strangers, 'too_many_requests', 'Too many requests without a key. Please wait a moment.');
  const unchecked = limitFailures(rates.uncheckedTokens, 'too_many_requests', 'Too many requests while tokens cannot be checked.');
  const needed = scope?.split(' ') ?? [];
  const announced = scope !== undefined && `scope="${scope}"`;

  /** Whom a valid token stands for. @throws {HttpProblem} 503 */
  const byToken = async (
    token: string,
    resource: string,
    network: string,
  ): Promise<(CallingProgram & { scopes: string[] }) | undefined> => {
    if (!keys || issuer === undefined || !isJwt.test(token)) return undefined;
    await unchecked.refuseFailing(network);
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await keys(), {
        algorithms,
        issuer,
        audience: audience ?? resource,
        clockTolerance: 60,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(clock.now()),
      });
      return isForBearer(payload, protectedHeader) ? { name: nameOf(payload), scopes: scopesOf(payload) } : undefined;
    } catch (fault) {
      if (isTokenFault(fault)) return undefined;
      await unchecked.countFailure(network);
      throw new HttpProblem(503, keysUnavailable, 'Tokens cannot be checked at the moment. Please try again.', {
        headers: { 'Retry-After': '10' },
      });
    }
  };

  return {
    /**
     * The program that calls `resource`, an address. `challenge`: the challenge of a refusal (RFC 6750, section 3).
     * @throws {HttpProblem} 401, 403, 429; 503 if tokens cannot be checked now.
     */
    authenticate: async (
      { clientAddress, headers }: Pick<HttpRequest, 'clientAddress' | 'headers'>,
      resource: string,
      challenge = '',
    ): Promise<CallingProgram> => {
      const network = networkOf(clientAddress);
      const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
      const refused = (status: number, code: string, detail: string, error: string | false) => {
        const said = [error && `error="${error}"`, announced, challenge].filter(Boolean).join(', ');
        return new HttpProblem(status, code, detail, { headers: { 'WWW-Authenticate': said ? `Bearer ${said}` : 'Bearer' } });
      };
      const byKey = given !== undefined && digest !== undefined && sameBytes(sha256(given), digest);
      const program = byKey ? { name: 'key', scopes: needed } : given === undefined ? undefined : await byToken(given, resource, network);
      if (program && needed.every((one) => program.scopes.includes(one))) {
        await takeCall(program.name);
        return { name: program.name };
      }
      await takeStranger(network);
      if (program) throw refused(403, 'insufficient_scope', `The token needs these scopes: ${scope}.`, 'insufficient_scope');
      const detail = 'Send the key, or a token for this bot, as Authorization: Bearer.';
      throw refused(401, 'unauthorized', detail, given !== undefined && 'invalid_token');
    },
    close: () => dispatcher.destroy(),
  };
};
