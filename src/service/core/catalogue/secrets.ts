// The secrets of an account as the catalogue's file refers to them, by environment variable or file, since files are
// copied, mailed and committed. They are read as the catalogue is.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { timestamp } from '../../../contract/index.ts';
import { sha256 } from '../../../platform/secrets/sealing.ts';
import { ownValue } from '../../../platform/text/own-value.ts';

/** The context for looking up secrets: the environment, and the folder that relative paths begin at. */
export type Places = { readonly environment: Readonly<Record<string, string | undefined>>; readonly folder: string };

/** The two ways to name a secret's place. */
export const placeFields = {
  /** The environment variable that holds it. */
  env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
    .optional(),
  /** The file that holds it, below the catalogue's own folder unless the path is absolute. */
  file: z.string().min(1, 'must not be empty').optional(),
};
export type Place = { readonly [Way in keyof typeof placeFields]?: string | undefined };

/** A kind of secret: what it is called in sentences, what it looks like, and how it is read. */
interface Kind<Key> {
  readonly what: 'key' | 'secret';
  readonly form: string;
  read(secret: string): Key | undefined;
}

/** The secret at a place, read. If it is not there or unusable, that is an issue of the catalogue. */
export const secretAt = <Key>(
  { env, file = '' }: Place,
  { environment, folder }: Places,
  kind: Kind<Key>,
  context: z.RefinementCtx,
): Key => {
  const { what, form, read } = kind;
  const wrong = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const place = env === undefined ? 'file' : `environment variable ${env}`;
  let secret: string;
  try {
    secret = ((env === undefined ? readFileSync(resolve(folder, file), 'utf8') : ownValue(environment, env)) ?? '').trim();
  } catch {
    return wrong(`names a ${what} that is not there: the file cannot be read`);
  }
  if (secret === '') return wrong(`names a ${what} that is not there: the ${place} is missing or empty`);
  return read(secret) ?? wrong(`names a ${what} that is none: the ${place} must hold ${form}`);
};

/** The most keys per account: one in use, its successor, and some for separate systems. */
const maxKeys = 10;
/** A key has at least this many characters, like every secret that can be guessed offline. */
const least = 32;
const key: Kind<Buffer> = {
  what: 'key',
  form: `${least} visible ASCII characters at least`,
  read: (secret) => (/^[\x21-\x7e]+$/.test(secret) && secret.length >= least ? sha256(secret) : undefined),
};

/** The secret keys of an account, known by their SHA-256 only. Without places, they are left out. */
export const accountKeys = (places: Places | undefined) => {
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
    })
    .transform(({ sha256: hex, env, file, expiresAt }, context) => {
      if (!places) return [];
      const digest = hex === undefined ? secretAt({ env, file }, places, key, context) : Buffer.from(hex, 'hex');
      return [{ digest, expiresAt: expiresAt === undefined ? undefined : Date.parse(expiresAt) }];
    });
  return z
    .array(accountKey)
    .max(maxKeys, `must be ${maxKeys} at most`)
    .default([])
    .transform((keys) => keys.flat());
};
/** A key that opens an account. `expiresAt` is an instant. */
export type AccountKey = z.output<ReturnType<typeof accountKeys>>[number];
