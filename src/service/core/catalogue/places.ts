// The places to which the catalogue file refers for secrets, since files are copied, mailed and committed.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { ownValue } from '../../../platform/text/own-value.ts';

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

/** A place as the file names it. */
export type Place = { readonly [Way in keyof typeof placeFields]?: string | undefined };

/** The context for looking up secrets: the environment, and the folder that relative paths begin at. */
export type Places = { readonly environment: Readonly<Record<string, string | undefined>>; readonly folder: string };

/** The place in the file has no usable secret. */
export class SecretUnusable extends Error {
  override readonly name = 'SecretUnusable';
  readonly code = 'secret_unusable';
}

/** A place's name in sentences. */
export const placeName = ({ env }: Place) => (env === undefined ? 'file' : `environment variable ${env}`);

/**
 * The secret there, trimmed. `what` names the kind of secret in the sentence.
 * @throws {SecretUnusable} when there is nothing.
 */
export const readPlace = (place: Place, { environment, folder }: Places, what: 'key' | 'secret'): string => {
  const missing = `names a ${what} that is not there`;
  const contentOf = (file: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch (cause) {
      throw new SecretUnusable(`${missing}: the file cannot be read`, { cause });
    }
  };
  const found = (place.env === undefined ? contentOf(resolve(folder, place.file ?? '')) : ownValue(environment, place.env))?.trim() ?? '';
  if (found === '') throw new SecretUnusable(`${missing}: the ${placeName(place)} is missing or empty`);
  return found;
};
