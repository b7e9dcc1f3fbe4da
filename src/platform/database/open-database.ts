// Opens either database and brings it up to date before it is used.
import type { Database, Migrations } from './database.ts';
import { type DatabaseOptions, migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { emptyLog, openSqlite, scrubSqlite, sqliteNow } from './sqlite.ts';

/**
 * Opens the database and brings its tables up to date, alone: a second process waits (Postgres) or is refused (SQLite).
 * @throws {SettingsError} when it cannot be used, or was made by a newer version.
 */
export const openDatabase = async <Schema>(
  { file, url, ...options }: DatabaseOptions,
  migrations: Migrations,
): Promise<Database<Schema>> => {
  if (url !== undefined) return openPostgres(url, migrations('postgres'), options);
  const db = openSqlite<Schema>(file);
  try {
    await migrate(db, migrations('sqlite'), 'DATA_DIR', { before: options.before, newest: options.newest });
  } catch (fault) {
    await db.destroy();
    throw fault;
  }
  return { kind: 'sqlite', db, now: sqliteNow, forget: () => emptyLog(db), scrub: () => scrubSqlite(db), close: () => db.destroy() };
};
