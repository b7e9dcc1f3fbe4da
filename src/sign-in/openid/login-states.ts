// Sign-ins under way at the provider: their secrets are sealed in the database, so that any replica can take the
// answer, once.
import { z } from 'zod';
import { cookieIn, cookieOf } from '../../platform/http/cookies.ts';
import type { HttpRequest } from '../../platform/http/http-server.ts';
import { hashToken } from '../../platform/secrets/sealing.ts';
import type { SignInParts } from '../sign-in-method.ts';

/** How long (ms) people may take at the provider. */
const loginMs = 10 * 60_000;

/** A sign-in under way, as it is stored. Earlier versions named its secrets `flight`, and those sign-ins go on. */
const stored = z.object({
  flight: z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
  /** The page to continue to. */
  to: z.string(),
  /** The time zone, as the browser gives it. */
  zone: z.string(),
});
type PendingLogin = z.output<typeof stored>;

const contextOf = (stateHash: string) => `sign-in ${stateHash}`;

export const makeLoginStates = <Role extends string>({ place, logins, seal, random, secure }: SignInParts<Role>) => {
  const name = `${place.name}-sign-in`;
  return {
    /** Stores a sign-in, and returns the header that ties it to the browser that began it. */
    begin: async (login: PendingLogin, now: number): Promise<string> => {
      // Otherwise an attacker could make another browser complete the attacker's own sign-in (RFC 6749, 10.12).
      const browser = random.token();
      const stateHash = hashToken(login.flight.state);
      const sealed = seal.seal(login, contextOf(stateHash));
      await logins.begin({ stateHash, browserHash: hashToken(browser), sealed, expiresAt: now + loginMs }, now);
      // Lax: the answer arrives through a link from the provider's page, and must bring this cookie along.
      return cookieOf(name, browser, { secure: secure(), path: place.path, sameSite: 'Lax', seconds: loginMs / 1000 });
    },
    /** The sign-in that an answer belongs to, if this browser began it. It can be taken once only. */
    take: async (call: HttpRequest, now: number): Promise<PendingLogin | undefined> => {
      const browser = cookieIn(call, name, secure());
      const state = call.query.get('state');
      if (browser === undefined || state === null) return undefined;
      const stateHash = hashToken(state);
      const sealed = await logins.take(stateHash, hashToken(browser), now);
      return sealed === undefined ? undefined : stored.parse(seal.open(sealed, contextOf(stateHash)));
    },
  };
};
