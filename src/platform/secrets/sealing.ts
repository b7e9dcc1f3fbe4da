// Keeps secrets out of databases: values to be read again are encrypted, values only to be recognised are hashed, and
// compared in constant time.
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

export type Sealing = ReturnType<typeof makeSealing>;

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/**
 * A key for one purpose, from a secret that serves several. Kept as an object: importing the bytes at each use would
 * take longer than the sealing.
 */
export const deriveKey = (secret: string, purpose: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `countersign ${purpose}`, 32)));

/** @param key - of 32 bytes */
export const makeSealing = (key: KeyObject) => ({
  /** Encrypts a value as JSON, bound to a context: it opens under the same context only. */
  seal: (value: unknown, context: string): string => {
    const iv = randomBytes(ivBytes);
    const encrypt = createCipheriv(cipher, key, iv).setAAD(Buffer.from(context));
    const text = encrypt.update(JSON.stringify(value), 'utf8');
    // A stream cipher: nothing is left to return.
    encrypt.final();
    return Buffer.concat([iv, encrypt.getAuthTag(), text]).toString('base64');
  },
  /** @throws when the text was not sealed here, under this context. */
  open: (sealed: string, context: string): unknown => {
    const bytes = Buffer.from(sealed, 'base64');
    const decrypt = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
    decrypt.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    return JSON.parse(Buffer.concat([decrypt.update(bytes.subarray(ivBytes + tagBytes)), decrypt.final()]).toString('utf8'));
  },
});

/** How a token is stored: enough to find it, but useless to a reader of the database. */
export const hashToken = (token: string) => hash('sha256', token, 'base64url');

export const sha256 = (text: string) => hash('sha256', text, 'buffer');

/** Whether two digests are the same, in constant time. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

/** Whether an `Authorization` header carries this bearer token, in constant time. */
export const makeBearerCheck = (token: string) => {
  const expected = sha256(token);
  return (authorization = ''): boolean => sameBytes(sha256(/^Bearer +(\S.*)$/i.exec(authorization)?.[1] ?? ''), expected);
};
