// Can the bot keep its state where the settings say?
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Selectable } from 'kysely';
import { type Finding, ok, unknown, wrong } from '../../platform/finding.ts';
import { type InteractionTable, unreadableOf } from '../../storage/index.ts';
import { unreadableRows } from './unreadable.ts';

/** Bytes that should be free. */
const roomNeeded = 100 * 1024 * 1024;

const codeOf = (fault: unknown) => (fault as NodeJS.ErrnoException).code ?? 'unknown';

/** Only reads: a bot may be running on the folder. */
export const checkDataFolder = async (dataDir: string): Promise<Finding> => {
  const folder = resolve(dataDir);
  try {
    const there = await nearest(folder);
    if (!(await stat(there)).isDirectory()) return wrong(`DATA_DIR: ${there} is not a folder.`);
    await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(there);
    if (bavail * bsize < roomNeeded) {
      return wrong(`DATA_DIR: the disk of ${there} is nearly full. Free some space: if nothing can be stored, nothing is sent.`);
    }
    if (there !== folder) return unknown(`${folder} does not exist yet; the first start creates it.`);
  } catch (fault) {
    return wrong(`DATA_DIR: ${folder} cannot be written (${codeOf(fault)}). Choose a folder this user may write to.`);
  }
  return checkDatabase(join(folder, 'bot.db'));
};

/** The folder itself, or the nearest existing one above it. */
const nearest = async (folder: string): Promise<string> => {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await access(at);
      return at;
    } catch (fault) {
      if (codeOf(fault) !== 'ENOENT' || at === dirname(at)) throw fault;
    }
  }
};

const checkDatabase = async (file: string): Promise<Finding> => {
  try {
    await access(file, constants.R_OK | constants.W_OK);
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return ok('writable; the first start creates the database.');
    return wrong(`DATA_DIR: ${file} cannot be written (${codeOf(fault)}). Give it to the user the bot runs as.`);
  }
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const [row] = database.prepare('PRAGMA quick_check(1)').all();
      if (row?.quick_check !== 'ok') return wrong(`DATA_DIR: ${file} is damaged. Restore a backup of it.`);
      const quarantined = unreadableOf(unfinished(database));
      if (quarantined.length > 0) return wrong(unreadableRows('DATA_DIR', quarantined));
      return ok('writable, and its database is intact.');
    } finally {
      database.close();
    }
  } catch {
    return wrong(`DATA_DIR: ${file} is not a database, or is damaged. Restore a backup of it.`);
  }
};

/**
 * The number of unfinished interactions. A database without tables, or without their newest migration, has none to
 * report.
 */
const unfinished = (database: DatabaseSync) => {
  const columns = database.prepare('PRAGMA table_info(interaction)').all();
  if (!columns.some(({ name }) => name === 'subject')) return [];
  return database.prepare('SELECT * FROM interaction WHERE told = 0').all() as unknown as Selectable<InteractionTable>[];
};
