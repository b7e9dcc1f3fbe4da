// Secrets kept beside the database, each in a file that only this user may read.
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsError } from '../settings/settings-error.ts';

/** Random bytes in a secret. */
const size = 32;
const form = /^[A-Za-z0-9_-]{43}$/;

/**
 * The secret in `<dataDir>/<name>`, created on first use: 32 random bytes as base64url. The file appears complete, with
 * mode 0600. If two processes start together, both end up with the same secret.
 * @throws {SettingsError} when it cannot be read or written, or contains something else.
 */
export const keptSecret = (dataDir: string, name: string): string => {
  const file = join(dataDir, name);
  const secret = within(file, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return read(file) ?? create(file, randomBytes(size).toString('base64url'));
  });
  if (form.test(secret)) return secret;
  throw new SettingsError([`DATA_DIR: ${file} does not hold a secret of ours. Put the right file back, or start with a new DATA_DIR.`]);
};

/**
 * The text in `<dataDir>/<name>`, created on first use, with the same guarantees.
 * @throws {SettingsError} when it cannot be read or written.
 */
export const keptText = async (dataDir: string, name: string, make: () => Promise<string>): Promise<string> => {
  const file = join(dataDir, name);
  const found = within(file, () => {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return read(file);
  });
  if (found !== undefined) return found;
  const made = await make();
  return within(file, () => create(file, made));
};

const within = <Result>(file: string, work: () => Result) => {
  try {
    return work();
  } catch (cause) {
    throw new SettingsError([`DATA_DIR: ${file} cannot be read or written. Choose a folder this user may write to.`], { cause });
  }
};

const read = (file: string): string | undefined => {
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    return readFileSync(file, 'utf8').trim();
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
};

/** Written to a temporary file and linked into place: a link fails where the file exists, a rename would not. */
const create = (file: string, content: string): string => {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${content}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
};
