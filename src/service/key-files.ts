// The secrets that live beside the database, each in a file that only this user may read.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '../platform/settings-error.ts';

/**
 * The secret in `<dataDir>/<name>`, made on first use: `bytes` random bytes as base64url. The file appears whole or not at all.
 * @throws {SettingsError} when it cannot be read or written, or holds something else.
 */
export const keptSecret = (dataDir: string, name: string, bytes: number): string => {
  const file = join(dataDir, name);
  const secret = read(file) ?? create(dataDir, file, bytes);
  if (!/^[A-Za-z0-9_-]{32,}$/.test(secret)) {
    throw new SettingsError([
      `DATA_DIR: ${file} does not hold a secret of this service. Put the right file back, or start with a new DATA_DIR.`,
    ]);
  }
  return secret;
};

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new SettingsError([`DATA_DIR: ${file} cannot be read.`], { cause });
  }
};

/** Written beside the place and linked into it, so that of two processes that start together both end up with the same secret. */
const create = (dataDir: string, file: string, bytes: number): string => {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${randomBytes(bytes).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    try {
      linkSync(draft, file);
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
    } finally {
      rmSync(draft, { force: true });
    }
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new SettingsError([`DATA_DIR: ${file} cannot be written. Choose a folder this user may write to.`], { cause });
  }
};
