// The secret keys of an account as the catalogue's file refers to them: never the keys themselves, since files are
// copied, mailed and committed.
import { z } from 'zod';
import { timestamp } from '../../../contract/index.ts';
import { sha256 } from '../../../platform/secrets/sealing.ts';
import { type Place, type Places, placeFields, placeName, readPlace, SecretUnusable } from './places.ts';

/** The most keys per account: one in use, its successor, and some for separate systems. */
const maxKeys = 10;

/** One key: its place, or its digest. */
const accountKey = z
  .strictObject({
    /** SHA-256 of the key, 64 hexadecimal digits. */
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits, as `npm run service-key` prints them')
      .optional(),
    ...placeFields,
    /** When it expires. */
    expiresAt: timestamp.optional(),
  })
  .refine(({ sha256, env, file }) => [sha256, env, file].filter((way) => way !== undefined).length === 1, {
    message: 'must have either sha256, env or file',
  });

export const accountKeys = z.array(accountKey).max(maxKeys, `must be ${maxKeys} at most`).default([]);

/** A key that opens an account: known by its SHA-256 only. `expiresAt` is an instant. */
export type AccountKey = { readonly digest: Buffer; readonly expiresAt?: number | undefined };

/** A key has at least this many characters, like every secret that can be guessed offline. */
const least = 32;

/** The digest of a key. @throws {SecretUnusable} saying what is wrong with its place. */
export const readKey = ({ sha256: hex, env, file, expiresAt }: z.output<typeof accountKey>, places: Places): AccountKey => {
  const digest = hex === undefined ? sha256(found({ env, file }, places)) : Buffer.from(hex, 'hex');
  return { digest, ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }) };
};

const found = (place: Place, places: Places): string => {
  const key = readPlace(place, places, 'key');
  if (/^[\x21-\x7e]+$/.test(key) && key.length >= least) return key;
  throw new SecretUnusable(`names a key that is none: the ${placeName(place)} must hold ${least} visible ASCII characters at least`);
};
