// The answers of a zero-knowledge form as they arrive and leave: one JWE that nobody here can open.
import { decodeProtectedHeader } from 'jose';
import type { FormAnswer } from '../../contract/index.ts';
import type { EncryptionKey } from '../core/catalogue/fields.ts';

/** The form field that it travels in. */
export const sealedField = 'answers';

/** How it is encrypted (RFC 7518, sections 4.6 and 5.3). */
export const sealing = { alg: 'ECDH-ES+A256KW', enc: 'A256GCM' } as const;

/** Header, wrapped key (40 bytes), initialisation vector (12), text, tag (16): RFC 7516, section 7.1. */
const compact = /^[A-Za-z0-9_-]{20,1000}\.[A-Za-z0-9_-]{54}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{2,200000}\.[A-Za-z0-9_-]{22}$/;

/**
 * The single item of the result. `undefined` for what was not encrypted with this key: nothing readable is ever stored.
 */
export const readSealed = (field: string | undefined, { kid }: EncryptionKey): FormAnswer | undefined => {
  if (field === undefined || !compact.test(field)) return undefined;
  const header = headerOf(field);
  const right = header?.alg === sealing.alg && header.enc === sealing.enc && header.kid === kid && header.zip === undefined;
  return right ? { type: 'jwe', key: '$jwe', value: field } : undefined;
};

const headerOf = (token: string) => {
  try {
    return decodeProtectedHeader(token);
  } catch {
    // Not JSON inside: whatever it is, it is no JWE.
    return undefined;
  }
};
