// Reads the bot's database, changing nothing: a bot may be running on it.
import { join } from 'node:path';
import type { Database } from '../../platform/database/database.ts';
import { askPostgres, postgresNow } from '../../platform/database/postgres.ts';
import { readSqlite, sqliteNow } from '../../platform/database/sqlite.ts';
import { makeLog } from '../../platform/log.ts';
import type { CoreSettings } from './core-settings.ts';

/** @throws {SettingsError} when there is none, or it cannot be read. */
export const readDatabase = async <Schema, Result>(
  { DATABASE_URL: url, DATA_DIR }: Pick<CoreSettings, 'DATABASE_URL' | 'DATA_DIR'>,
  work: (database: Pick<Database<Schema>, 'db' | 'kind' | 'now'>) => Promise<Result>,
): Promise<Result> => {
  if (url !== undefined)
    return askPostgres<Schema, Result>(url, makeLog('silent'), (db) => work({ db, kind: 'postgres', now: postgresNow }));
  const db = readSqlite<Schema>(join(DATA_DIR, 'bot.db'));
  try {
    return await work({ db, kind: 'sqlite', now: sqliteNow });
  } finally {
    await db.destroy();
  }
};
