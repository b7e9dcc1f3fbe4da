// The key of the web chat's tokens.
import { hkdfSync } from 'node:crypto';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import type { StoragePlace } from './core-options.ts';

/**
 * The key that signs the web chat's tokens, and nothing else: 32 bytes. Either the configured one, which all replicas
 * share, or one that this process stores beside its database. A configured key may be any text, as it is stretched
 * (HKDF, RFC 5869). A new key ends the tokens of open chats.
 * @throws {SettingsError} when the folder cannot be used.
 */
export const tokenKey = (place: StoragePlace): Uint8Array => {
  if (place.folder === undefined) return derived(place.tokenKey);
  return place.tokenKey === undefined ? Buffer.from(keptSecret(place.folder, 'directline.key'), 'base64url') : derived(place.tokenKey);
};

const derived = (given: string) => new Uint8Array(hkdfSync('sha256', given, '', 'countersign chat tokens', 32));
