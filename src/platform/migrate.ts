// Bringing a database's tables up to date at start: forward only, each step whole or not at all.
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { SettingsError } from './settings-error.ts';

/** The settings that a database can come from. */
export type DatabaseSetting = 'DATA_DIR' | 'DATABASE_URL' | 'SERVICE_DATABASE_URL';

/** Where the tables are, beside the database itself. */
export interface MigrateOptions {
  /** Where the database comes from, for words to the operator. */
  readonly setting: DatabaseSetting;
  /** The Postgres schema that `db` works in, made where it is not there. Unset: the usual one. */
  readonly schema?: string | undefined;
}

/** Postgres: the user may not do that (SQLSTATE 42501). */
const forbidden = '42501';

/**
 * Runs the migrations that the database has not seen, in the order of their names, under the dialect's lock (an advisory lock on Postgres;
 * on SQLite the file's own lock keeps others out).
 * @throws {SettingsError} when the database has seen a migration that this version does not know, or one fails. Nothing of it is kept then.
 */
export const migrate = async <Schema>(
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  { setting, schema }: MigrateOptions,
): Promise<void> => {
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  }).migrateToLatest();
  if (!error) return;
  const line =
    (error as { code?: unknown }).code === forbidden
      ? `${setting}: the user may not create tables in the database.`
      : `${setting}: the database there was made by a newer version or is damaged.`;
  throw new SettingsError([line], { cause: error });
};
