// Who is signed in: a cookie that holds a secret, and a session under its hash that the server keeps.
import { isTimeZone } from '../clock.ts';
import type { HttpRequest } from '../http-server.ts';
import { hashToken } from '../sealing.ts';
import { cookieIn, cookieOf, cookieRemoved } from './cookies.ts';
import type { HeldSession, NewSession, Session, SessionStore } from './session-store.ts';

/** Pages that people sign in at: what their cookies are named by, and where they begin. */
export interface SignInPlace {
  readonly name: string;
  readonly path: string;
}

/** Makes secrets of 192 bits, which a URL takes as they are. */
export interface SessionTokens {
  token(): string;
}

/** How long (ms) somebody stays signed in: a working day, however busy. */
const sessionMs = 8 * 60 * 60_000;

export interface SessionsOptions<Role extends string> {
  readonly place: SignInPlace;
  readonly store: SessionStore<Role>;
  readonly random: SessionTokens;
  readonly secure: () => boolean;
}

export interface Sessions<Role extends string = string> {
  /**
   * Begins a session under a new secret, whatever the browser held before, so that none can be planted. Answers the
   * session, and the header that gives the browser its cookie.
   */
  begin(who: Who<Role>, now: number): Promise<{ readonly session: Session<Role>; readonly cookie: string }>;
  /** Who is signed in with this call's browser. */
  of(call: Pick<HttpRequest, 'headers'>, now: number): Promise<HeldSession<Role> | undefined>;
  /** Ends the session of this call's browser, and answers the header that takes the cookie away. */
  end(call: HttpRequest): Promise<string>;
}

/** Somebody to be signed in. `zone` is what their browser says, which may be anything. */
export interface Who<Role extends string = string> extends Omit<NewSession<Role>, 'expiresAt' | 'timeZone'> {
  readonly zone: string;
}

export const makeSessions = <Role extends string>({ place, store, random, secure }: SessionsOptions<Role>): Sessions<Role> => {
  const { name, path } = place;
  /**
   * `SameSite=Strict`: no link, frame or form of another site ever arrives signed in. It also withholds the cookie from
   * whatever another site begins, so that nobody who comes back from a provider may be redirected to a page that needs
   * it (openid/sign-in.ts).
   */
  const cookie = (value: string, seconds: number) => cookieOf(name, value, { secure: secure(), path, sameSite: 'Strict', seconds });
  const held = (call: Pick<HttpRequest, 'headers'>) => cookieIn(call, name, secure());
  return {
    begin: async ({ zone, address, standing, ...who }, now) => {
      const session: Session<Role> = { ...who, timeZone: zone !== '' && isTimeZone(zone) ? zone : 'UTC', expiresAt: now + sessionMs };
      const secret = random.token();
      await store.begin(hashToken(secret), { ...session, address, standing }, now);
      return { session, cookie: cookie(secret, sessionMs / 1000) };
    },
    of: async (call, now) => {
      const secret = held(call);
      return secret === undefined ? undefined : store.session(hashToken(secret), now);
    },
    end: async (call) => {
      const secret = held(call);
      if (secret !== undefined) await store.end(hashToken(secret));
      return cookie(cookieRemoved, 0);
    },
  };
};
