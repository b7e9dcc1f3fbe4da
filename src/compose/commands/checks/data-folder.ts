// Can the bot keep its state where the settings say?
import { access, constants } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Selectable } from 'kysely';
import { checkFolder, systemCode } from '../../../platform/process/data-folder.ts';
import { type Finding, ok, wrong } from '../../../platform/process/finding.ts';
import { type InteractionTable, unreadableOf } from '../../../storage/index.ts';

/** Only reads: a bot may be running on the folder. `embedded`: its database is there. */
export const checkDataFolder = async (dataDir: string, embedded: boolean): Promise<Finding> => {
  const found = await checkFolder(dataDir);
  return embedded && found.status === 'ok' ? checkDatabase(join(resolve(dataDir), 'bot.db')) : found;
};

const checkDatabase = async (file: string): Promise<Finding> => {
  try {
    await access(file, constants.R_OK | constants.W_OK);
  } catch (fault) {
    if (systemCode(fault) === 'ENOENT') return ok('writable; the first start creates the database.');
    return wrong(`DATA_DIR: ${file} cannot be written (${systemCode(fault)}). Give it to the user the bot runs as.`);
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

/** How many are named. */
const most = 5;

/** The message for rows that are quarantined, with their ids. */
export const unreadableRows = (setting: string, ids: readonly string[]): string => {
  const named = ids.slice(0, most).join(', ');
  const more = ids.length > most ? ` and ${ids.length - most} more` : '';
  const count = `${ids.length} unfinished interaction${ids.length === 1 ? '' : 's'}`;
  return `${setting}: ${count} cannot be read by this version (${named}${more}). Start the version that wrote them, or ask for help with these rows.`;
};
