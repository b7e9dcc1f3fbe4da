// Identifiers and secrets from the operating system's random source, replaceable in tests.
import { randomBytes, randomInt } from 'node:crypto';
import { makeOrderedNewId } from '../../../platform/secrets/new-id.ts';

export type Random = ReturnType<typeof makeRandom>;

export const makeRandom = () => ({
  /** A new identifier, a ULID that begins with the given instant; it sorts after every one made before. */
  id: makeOrderedNewId(),
  /** A secret of 192 bits, 32 characters that a URL takes as they are. */
  token: (): string => randomBytes(24).toString('base64url'),
  /** A customer's user handle: 512 bits, the most that are allowed (WebAuthn L3, 14.6.1), base64url. */
  handle: (): string => randomBytes(64).toString('base64url'),
  /** A passcode: 6 decimal digits, leading zeros kept. */
  passcode: (): string => String(randomInt(1_000_000)).padStart(6, '0'),
});

/** A passcode as it was meant: full-width digits made plain, spaces and hyphens left out. */
export const plainCode = (code: string) => code.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '');
