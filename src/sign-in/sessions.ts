// Who is signed in: the browser holds a secret in a cookie, and the server keeps a session under its hash.

import { cookieIn, cookieOf, cookieRemoved } from '../platform/http/cookies.ts';
import type { HttpRequest } from '../platform/http/http-server.ts';
import { hashToken } from '../platform/secrets/sealing.ts';
import { isTimeZone } from '../platform/time/clock.ts';
import type { HeldSession, NewSession, Session, SessionStore } from './session-store.ts';

/** Pages with sign-in: the name for their cookies, and their path. */
export interface SignInPlace {
  readonly name: string;
  readonly path: string;
}

/** Makes secrets of 192 bits, which need no encoding in a URL. */
export interface SessionTokens {
  token(): string;
}

/** How long (ms) a sign-in lasts: a working day, however busy. */
const sessionMs = 8 * 60 * 60_000;

export type Sessions<Role extends string = string> = ReturnType<typeof makeSessions<Role>>;

/** @param secure - whether the pages are reached over https */
export const makeSessions = <Role extends string>(
  { name, path }: SignInPlace,
  store: SessionStore<Role>,
  random: SessionTokens,
  secure: () => boolean,
) => {
  /**
   * `SameSite=Strict`: no link, frame or form of another site ever arrives signed in. The cookie is also withheld from
   * navigation that another site begins, so nobody who returns from a provider may be redirected to a page that needs
   * it (openid/openid-sign-in.ts).
   */
  const cookie = (value: string, seconds: number) => cookieOf(name, value, { secure: secure(), path, sameSite: 'Strict', seconds });
  const held = (call: Pick<HttpRequest, 'headers'>) => cookieIn(call, name, secure());
  return {
    /**
     * Begins a session under a new secret, whatever the browser held before, so that none can be planted. Returns the
     * session and the header that sets the cookie. `zone` is what the browser says, which may be anything.
     */
    begin: async (
      { zone, address, roleCheck, ...who }: Omit<NewSession<Role>, 'expiresAt' | 'timeZone'> & { readonly zone: string },
      now: number,
    ) => {
      const session: Session<Role> = { ...who, timeZone: zone !== '' && isTimeZone(zone) ? zone : 'UTC', expiresAt: now + sessionMs };
      const secret = random.token();
      await store.begin(hashToken(secret), { ...session, address, roleCheck }, now);
      return { session, cookie: cookie(secret, sessionMs / 1000) };
    },
    /** The session of this call's browser. Counts as a visit, unless `visit` is false. */
    of: async (call: Pick<HttpRequest, 'headers'>, now: number, visit?: boolean): Promise<HeldSession<Role> | undefined> => {
      const secret = held(call);
      return secret === undefined ? undefined : store.session(hashToken(secret), now, visit);
    },
    /** Ends the session of this call's browser, and returns the header that removes the cookie. */
    end: async (call: HttpRequest) => {
      const secret = held(call);
      if (secret !== undefined) await store.end(hashToken(secret));
      return cookie(cookieRemoved, 0);
    },
  };
};
