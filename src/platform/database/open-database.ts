// Opens either database and brings it up to date before it is used.
import type { Database, Migrations } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import { emptyLog, openSqlite, scrubSqlite, sqliteNow } from './sqlite.ts';

export interface DatabaseOptions extends Omit<PostgresOptions, 'migrations'> {
  /** An embedded database's file, or `:memory:`. Its setting is DATA_DIR. */
  readonly file: string;
  /** A Postgres address, used instead of the file. */
  readonly url?: string | undefined;
}

/**
 * Opens the database and brings its tables up to date, alone: a second process waits (Postgres) or is refused (SQLite).
 * @throws {SettingsError} when it cannot be used, or was made by a newer version.
 */
export const openDatabase = async <Schema>(
  { file, url, before, newest, ...options }: DatabaseOptions,
  migrations: Migrations,
): Promise<Database<Schema>> => {
  if (url !== undefined) return openPostgres(url, { ...options, before, newest, migrations: migrations('postgres') });
  const db = openSqlite<Schema>(file);
  try {
    await migrate(db, migrations('sqlite'), { setting: 'DATA_DIR', before, newest });
  } catch (fault) {
    await db.destroy();
    throw fault;
  }
  return { kind: 'sqlite', db, now: sqliteNow, forget: () => emptyLog(db), scrub: () => scrubSqlite(db), close: () => db.destroy() };
};
