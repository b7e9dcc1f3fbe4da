// The secret keys of an account as the catalogue's file names them: never themselves, since files are copied, mailed and committed.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { timestamp } from '../../contract/index.ts';
import { sha256 } from '../seal.ts';

/** Most keys of one account: one in use, its successor, and some that systems of the account have for themselves. */
const most = 10;

/** One key: where it is to be found, or the digest that it is recognised by. */
const accountKey = z
  .strictObject({
    /** SHA-256 of the key, 64 hexadecimal digits. */
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits, as `npm run service-key` prints them')
      .optional(),
    /** The environment variable that holds it. */
    env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
      .optional(),
    /** The file that holds it, below the catalogue's own folder unless the path is absolute. */
    file: z.string().min(1, 'must not be empty').optional(),
    /** From when on it opens nothing any more. */
    expiresAt: timestamp.optional(),
  })
  .refine(({ sha256, env, file }) => [sha256, env, file].filter((way) => way !== undefined).length === 1, {
    message: 'must have either sha256, env or file',
  });

export const accountKeys = z.array(accountKey).max(most, `must be ${most} at most`).default([]);

/** A key that opens an account: known by its SHA-256 only. `expiresAt` is an instant. */
export interface AccountKey {
  readonly digest: Buffer;
  readonly expiresAt?: number | undefined;
}

/** Where keys are looked for. */
export interface KeyPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths begin at. */
  readonly folder: string;
}

/** A key has this many characters at least: 128 bits of base64url have 22. */
const least = 22;

/** The digest of a key. @throws {KeyUnusable} saying what is wrong with its place. */
export const readKey = ({ sha256: hex, env, file, expiresAt }: z.output<typeof accountKey>, places: KeyPlaces): AccountKey => {
  const digest = hex === undefined ? sha256(found(env, file, places)) : Buffer.from(hex, 'hex');
  return { digest, ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }) };
};

/** There is no key where the file says. */
export class KeyUnusable extends Error {
  override readonly name = 'KeyUnusable';
  readonly code = 'key_unusable';
}

const found = (env: string | undefined, file: string | undefined, { environment, folder }: KeyPlaces): string => {
  const place = env === undefined ? 'file' : `environment variable ${env}`;
  const key = (env === undefined ? contentOf(resolve(folder, file ?? '')) : environment[env])?.trim() ?? '';
  if (key === '') throw new KeyUnusable(`names a key that is not there: the ${place} is missing or empty`);
  if (!/^[\x21-\x7e]+$/.test(key) || key.length < least)
    throw new KeyUnusable(`names a key that is none: the ${place} must hold ${least} visible ASCII characters at least`);
  return key;
};

const contentOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new KeyUnusable('names a key that is not there: the file cannot be read', { cause });
  }
};
