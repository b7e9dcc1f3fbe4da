// Keeps secrets out of the database: encrypts those that are read again, hashes those that are only compared.
import { createHmac } from 'node:crypto';
import { deriveKey, makeSealing, type Sealing, sameBytes } from '../../platform/secrets/sealing.ts';

export interface Seal extends Sealing {
  /** The stored form of a passcode, bound to its request. */
  hashPasscode(requestId: string, code: string): string;
  /** Whether a code matches its stored form, in constant time. */
  isPasscode(requestId: string, code: string, hash: string): boolean;
  /** A keyed digest of a phone number or e-mail address of an account, for look-ups. */
  hashAddress(accountId: string, address: string): string;
  /** A keyed digest of the end of an audit trail. */
  endOfTrail(text: string): string;
  /** Whether a digest matches the text, in constant time. */
  isEndOfTrail(text: string, digest: string): boolean;
}

/** Represents all accounts together in counts per address. */
export const allAccounts = '';

/** Everything is keyed by the pepper, which is kept outside the database. */
export const makeSeal = (pepper: string): Seal => {
  const derive = (purpose: string) => deriveKey(pepper, purpose);
  const passcodes = derive('passcodes');
  const addresses = derive('addresses');
  const trails = derive('audit trails');
  const endOfTrail = (text: string) => createHmac('sha256', trails).update(text).digest();
  const digest = (requestId: string, code: string) => createHmac('sha256', passcodes).update(`${requestId}\n${code}`).digest();
  return {
    ...makeSealing(derive('sealing')),
    hashPasscode: (requestId, code) => digest(requestId, code).toString('base64url'),
    isPasscode: (requestId, code, hash) => sameBytes(digest(requestId, code), Buffer.from(hash, 'base64url')),
    hashAddress: (accountId, address) => createHmac('sha256', addresses).update(`${accountId}\n${address}`).digest('base64url'),
    endOfTrail: (text) => endOfTrail(text).toString('base64url'),
    isEndOfTrail: (text, digest) => sameBytes(endOfTrail(text), Buffer.from(digest, 'base64url')),
  };
};
