// Who is signed in at the console: a cookie that holds a secret, and a session under its hash that the server keeps.
import type { HttpRequest } from '../../platform/http-server.ts';
import type { Random } from '../core/random.ts';
import { hashToken } from '../core/seal.ts';
import type { ConsoleSession, ConsoleStore, HeldSession, NewSession } from '../core/store/console.ts';
import { isTimeZone } from './calendar.ts';
import { cookieIn, cookieOf, removed } from './cookies.ts';

/** How long (ms) somebody stays signed in: a working day, however busy. */
const sessionMs = 8 * 60 * 60_000;

export interface SessionsOptions {
  readonly store: ConsoleStore;
  readonly random: Random;
  readonly secure: () => boolean;
}

export interface Sessions {
  /**
   * Begins a session under a new secret, whatever the browser held before, so that none can be planted. Answers the
   * session, and the header that gives the browser its cookie.
   */
  begin(who: Who, now: number): Promise<{ readonly session: ConsoleSession; readonly cookie: string }>;
  /** Who is signed in with this call's browser. */
  of(call: HttpRequest, now: number): Promise<HeldSession | undefined>;
  /** Ends the session of this call's browser, and answers the header that takes the cookie away. */
  end(call: HttpRequest): Promise<string>;
}

/** Somebody to be signed in. `zone` is what their browser says, which may be anything. */
export interface Who extends Omit<NewSession, 'expiresAt' | 'timeZone'> {
  readonly zone: string;
}

export const makeSessions = ({ store, random, secure }: SessionsOptions): Sessions => {
  /**
   * `SameSite=Strict`: no link, frame or form of another site ever arrives signed in. It also withholds the cookie from
   * whatever another site begins, so that nobody who comes back from a provider may be redirected to a page that needs
   * it (openid/sign-in.ts).
   */
  const cookie = (value: string, seconds: number) => cookieOf('console', value, { secure: secure(), sameSite: 'Strict', seconds });
  const held = (call: HttpRequest) => cookieIn(call, 'console', secure());
  return {
    begin: async ({ zone, address, standing, ...who }, now) => {
      const session = { ...who, timeZone: zone !== '' && isTimeZone(zone) ? zone : 'UTC', expiresAt: now + sessionMs };
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
      return cookie(removed, 0);
    },
  };
};
