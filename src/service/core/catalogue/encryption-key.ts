// The account's public key, for which the answers of zero-knowledge forms are encrypted (RFC 7517, RFC 7518 section
// 6.2).
import { z } from 'zod';

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43,88}$/, 'must be base64url');

/**
 * A public key on a curve that every browser supports. Strict, so that a private key is refused rather than served to
 * customers.
 */
export const encryptionKey = z.strictObject({
  kty: z.literal('EC'),
  crv: z.enum(['P-256', 'P-384', 'P-521']),
  x: coordinate,
  y: coordinate,
  kid: z.string().min(1).max(200),
});
export type EncryptionKey = z.output<typeof encryptionKey>;
