// The key that signs Direct Line's tokens, which opens nothing else.
import { hkdfSync } from 'node:crypto';
import { keptSecret } from '../platform/kept-secret.ts';
import type { StoragePlace } from './bot-options.ts';

/**
 * 32 bytes: those that all replicas are given, else those that this process keeps beside its database. What signs is derived (RFC 5869) from what
 * is set, so that the setting may be any text. Changing it ends open chats' tokens.
 * @throws {SettingsError} when the folder cannot be used.
 */
export const tokenKey = (place: StoragePlace): Uint8Array => {
  if (place.folder === undefined) return derived(place.tokenKey);
  return place.tokenKey === undefined ? Buffer.from(keptSecret(place.folder, 'directline.key'), 'base64url') : derived(place.tokenKey);
};

const derived = (given: string) => new Uint8Array(hkdfSync('sha256', given, '', 'countersign chat tokens', 32));
