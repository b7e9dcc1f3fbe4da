// The key that signs Direct Line's tokens: this process's own, or one that all replicas come to by themselves.
import { hkdfSync } from 'node:crypto';
import { keptSecret } from '../platform/kept-secret.ts';
import type { ServiceAccess } from './service-access.ts';
import type { Settings } from './settings.ts';

/**
 * 32 bytes. Alone, the key is kept beside the database. Replicas share no folder, and a key in the database they share would let whoever copies that
 * speak for everyone, so theirs is derived (RFC 5869) from the secret they all have: the service's. Changing that one ends open chats' tokens.
 * @throws {SettingsError} when the data folder cannot be used.
 */
export const tokenKey = ({ DATA_DIR, DATABASE_URL }: Settings, { secretKey }: Pick<ServiceAccess, 'secretKey'>): Uint8Array =>
  DATABASE_URL === undefined
    ? Buffer.from(keptSecret(DATA_DIR, 'directline.key'), 'base64url')
    : new Uint8Array(hkdfSync('sha256', secretKey, '', 'countersign directline tokens', 32));
