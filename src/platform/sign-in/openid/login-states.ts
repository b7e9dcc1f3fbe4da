// Sign-ins under way at the provider: their secrets are sealed in the database, so that any replica can take the
// answer, once.
import { z } from 'zod';
import type { HttpRequest } from '../../http/http-server.ts';
import { hashToken, type Sealing } from '../../secrets/sealing.ts';
import { cookieIn, cookieOf } from '../cookies.ts';
import type { SignIns } from '../login-store.ts';
import type { SessionTokens, SignInPlace } from '../sessions.ts';
import type { LoginState } from './provider.ts';

/** How long (ms) people may take at the provider. */
const flightMs = 10 * 60_000;

/** A sign-in's stored data besides its secrets. */
export interface Journey {
  readonly flight: LoginState;
  /** The page to continue to. */
  readonly to: string;
  /** The time zone, as the browser gives it. */
  readonly zone: string;
}

export interface LoginStatesOptions {
  readonly place: SignInPlace;
  readonly store: SignIns;
  readonly seal: Sealing;
  readonly random: SessionTokens;
  readonly secure: () => boolean;
}

export interface LoginStates {
  /** Stores a sign-in, and returns the header that ties it to the browser that began it. */
  begin(journey: Journey, now: number): Promise<string>;
  /** The sign-in that an answer belongs to, if this browser began it. It can be taken once only. */
  take(call: HttpRequest, now: number): Promise<Journey | undefined>;
}

const stored = z.object({
  flight: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  to: z.string(),
  zone: z.string(),
});

const contextOf = (stateHash: string) => `sign-in ${stateHash}`;

export const makeLoginStates = ({ place, store, seal, random, secure }: LoginStatesOptions): LoginStates => {
  const name = `${place.name}-sign-in`;
  return {
    begin: async (journey, now) => {
      // Otherwise an attacker could make another browser complete the attacker's own sign-in (RFC 6749, 10.12).
      const browser = random.token();
      const stateHash = hashToken(journey.flight.state);
      const sealed = seal.seal(journey, contextOf(stateHash));
      await store.begin({ stateHash, browserHash: hashToken(browser), sealed, expiresAt: now + flightMs }, now);
      // Lax: the answer arrives through a link from the provider's page, and must bring this cookie along.
      return cookieOf(name, browser, { secure: secure(), path: place.path, sameSite: 'Lax', seconds: flightMs / 1000 });
    },
    take: async (call, now) => {
      const browser = cookieIn(call, name, secure());
      const state = call.query.get('state');
      if (browser === undefined || state === null) return undefined;
      const stateHash = hashToken(state);
      const sealed = await store.take(stateHash, hashToken(browser), now);
      return sealed === undefined ? undefined : stored.parse(seal.open(sealed, contextOf(stateHash)));
    },
  };
};
