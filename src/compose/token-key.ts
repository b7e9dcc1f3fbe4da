// The key that signs Direct Line's tokens, which opens nothing else.
import { hkdfSync } from 'node:crypto';
import { keptSecret } from '../platform/kept-secret.ts';
import type { Settings } from './settings.ts';

/**
 * 32 bytes: those that all replicas are given, else those that this process keeps beside its database. What signs is derived (RFC 5869) from what
 * is set, so that the setting may be any text. Changing it ends open chats' tokens.
 * @throws {SettingsError} when the data folder cannot be used.
 */
export const tokenKey = ({ CHAT_TOKEN_KEY, DATA_DIR }: Pick<Settings, 'CHAT_TOKEN_KEY' | 'DATA_DIR'>): Uint8Array =>
  CHAT_TOKEN_KEY === undefined
    ? Buffer.from(keptSecret(DATA_DIR, 'directline.key'), 'base64url')
    : new Uint8Array(hkdfSync('sha256', CHAT_TOKEN_KEY, '', 'countersign chat tokens', 32));
