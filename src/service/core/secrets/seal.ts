// Keeps secrets out of the database: encrypts those that are read again, hashes those that are only compared.
import { createHmac } from 'node:crypto';
import { deriveKey, makeSealing, sameBytes } from '../../../platform/secrets/sealing.ts';

export type Seal = ReturnType<typeof makeSeal>;

/** Represents all accounts together in counts per address. */
export const allAccounts = '';

/** Everything is keyed by the pepper, which is kept outside the database. */
export const makeSeal = (pepper: string) => {
  const derive = (purpose: string) => deriveKey(pepper, purpose);
  const passcodes = derive('passcodes');
  const addresses = derive('addresses');
  const trails = derive('audit trails');
  const endOfTrail = (text: string) => createHmac('sha256', trails).update(text).digest();
  const digest = (requestId: string, code: string) => createHmac('sha256', passcodes).update(`${requestId}\n${code}`).digest();
  return {
    ...makeSealing(derive('sealing')),
    /** The stored form of a passcode, bound to its request. */
    hashPasscode: (requestId: string, code: string) => digest(requestId, code).toString('base64url'),
    /** Whether a code matches its stored form, in constant time. */
    isPasscode: (requestId: string, code: string, hash: string) => sameBytes(digest(requestId, code), Buffer.from(hash, 'base64url')),
    /** A keyed digest of a phone number or e-mail address of an account, for look-ups. */
    hashAddress: (accountId: string, address: string) =>
      createHmac('sha256', addresses).update(`${accountId}\n${address}`).digest('base64url'),
    /** A keyed digest of the end of an audit trail. */
    endOfTrail: (text: string) => endOfTrail(text).toString('base64url'),
    /** Whether a digest matches the text, in constant time. */
    isEndOfTrail: (text: string, digest: string) => sameBytes(endOfTrail(text), Buffer.from(digest, 'base64url')),
  };
};
