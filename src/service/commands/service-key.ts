// Generates a secret key for an account of the reference service: shown once, not stored.
import { createHash, randomBytes } from 'node:crypto';

/** A new key of 256 bits, and its SHA-256 as the catalogue file takes it, each on its own line. */
export const newServiceKey = (): string => {
  const key = randomBytes(32).toString('base64url');
  return [`key     ${key}`, `sha256  ${createHash('sha256').update(key).digest('hex')}`].join('\n');
};
