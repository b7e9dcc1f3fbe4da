// The key that signs tokens: made once, readable by this user alone.
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SettingsError } from '../platform/settings-error.ts';

/** Bytes: as many as HS256 gives back (RFC 7518, 3.2). */
const size = 32;

/**
 * The key kept in `file`, made where there is none. The file is complete from the moment it exists, and has mode 0600.
 * @throws {SettingsError} when it cannot be read or written, or holds something else.
 */
export const loadTokenKey = (file: string): Uint8Array => {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const key = read(file) ?? create(file);
    if (key.length !== size) throw new Error('the key has another length');
    return key;
  } catch (cause) {
    throw new SettingsError(
      [`DATA_DIR: the key in ${file} cannot be used. Make it readable for this user, or delete it: open chats then start anew.`],
      {
        cause,
      },
    );
  }
};

const read = (file: string) => {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    return readFileSync(file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
};

/** Written beside the place and linked into it, so that of two processes that start together both end up with the same key. */
const create = (file: string) => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(size), { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file);
};
