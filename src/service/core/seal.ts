// Keeps secrets out of the database: what must be read again is encrypted, what must only be recognised is hashed.
import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { sameBytes } from '../../platform/same-bytes.ts';

export interface Seal {
  /** Encrypts a value as JSON, bound to a context: it opens under the same context only. */
  seal(value: unknown, context: string): string;
  /** @throws when the text was not sealed here, under this context. */
  open(sealed: string, context: string): unknown;
  /** The stored form of a passcode, bound to its request. */
  hashPasscode(requestId: string, code: string): string;
  /** Whether a code is the one that was hashed, in constant time. */
  isPasscode(requestId: string, code: string, hash: string): boolean;
  /** A keyed digest of a phone number or e-mail address that an account writes to: enough to find it by. */
  hashAddress(accountId: string, address: string): string;
  /** A keyed digest of the end of an audit trail. */
  endOfTrail(text: string): string;
  /** Whether a digest is that of the text, in constant time. */
  isEndOfTrail(text: string, digest: string): boolean;
}

/** Stands for all accounts together where something is counted per address. */
export const allAccounts = '';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Everything is keyed by the pepper, which is kept outside the database. */
export const makeSeal = (pepper: string): Seal => {
  // Kept as key objects: importing the bytes at each use would take longer than the sealing.
  const derive = (purpose: string) => createSecretKey(Buffer.from(hkdfSync('sha256', pepper, '', `countersign ${purpose}`, 32)));
  const sealing = derive('sealing');
  const passcodes = derive('passcodes');
  const addresses = derive('addresses');
  const trails = derive('audit trails');
  const endOfTrail = (text: string) => createHmac('sha256', trails).update(text).digest();
  const digest = (requestId: string, code: string) => createHmac('sha256', passcodes).update(`${requestId}\n${code}`).digest();
  return {
    seal: (value, context) => {
      const iv = randomBytes(ivBytes);
      const encrypt = createCipheriv(cipher, sealing, iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([encrypt.update(JSON.stringify(value), 'utf8'), encrypt.final()]);
      return Buffer.concat([iv, encrypt.getAuthTag(), text]).toString('base64');
    },
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed, 'base64');
      const decrypt = createDecipheriv(cipher, sealing, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      decrypt.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return JSON.parse(Buffer.concat([decrypt.update(bytes.subarray(ivBytes + tagBytes)), decrypt.final()]).toString('utf8'));
    },
    hashPasscode: (requestId, code) => digest(requestId, code).toString('base64url'),
    isPasscode: (requestId, code, hash) => sameBytes(digest(requestId, code), Buffer.from(hash, 'base64url')),
    hashAddress: (accountId, address) => createHmac('sha256', addresses).update(`${accountId}\n${address}`).digest('base64url'),
    endOfTrail: (text) => endOfTrail(text).toString('base64url'),
    isEndOfTrail: (text, digest) => sameBytes(endOfTrail(text), Buffer.from(digest, 'base64url')),
  };
};

/** How a token is stored: enough to find it by, of no use to a reader of the database. */
export const hashToken = (token: string) => sha256(token).toString('base64url');

export const sha256 = (text: string) => createHash('sha256').update(text).digest();
