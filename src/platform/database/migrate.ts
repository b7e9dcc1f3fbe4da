// Bringing a database's tables up to date at start: forward only, each step whole or not at all.
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { SettingsError } from '../settings/settings-error.ts';

/** The settings that can name a database. */
export type DatabaseSetting = 'DATA_DIR' | 'DATABASE_URL' | 'SERVICE_DATABASE_URL';

/** Inspects a database that may be of any earlier version, or empty. */
// biome-ignore lint/suspicious/noExplicitAny: what tables there are is what it looks at.
export type LookBefore = (db: Kysely<any>) => Promise<void>;

export interface MigrateOptions {
  /** The setting that names the database, for messages to the operator. */
  readonly setting: DatabaseSetting;
  /**
   * The Postgres schema of the tables, created if missing, so that rooms may share one database. It is written into every
   * statement: a pooler in between may forget a connection's search path. Unset: the search path decides.
   */
  readonly schema?: string | undefined;
  /** Inspects the database before it is changed. If it throws, the database stays as it is. */
  readonly before?: LookBefore | undefined;
}

/** Postgres: insufficient privilege (SQLSTATE 42501). */
const forbidden = '42501';

/**
 * Postgres: data or an index is corrupt. For SQLite a number: SQLITE_CORRUPT or SQLITE_NOTADB
 * (sqlite.org/rescode.html).
 */
const corrupt: ReadonlySet<unknown> = new Set(['XX001', 'XX002', 11, 26]);

/**
 * Runs the migrations that the database has not seen, in the order of their names, under the dialect's lock (an
 * advisory lock on Postgres; on SQLite the file's lock keeps others out).
 * @throws {SettingsError} when the database has seen a migration that this version does not know, or when one fails.
 * Nothing is changed then.
 */
export const migrate = async <Schema>(
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  { setting, schema, before }: MigrateOptions,
): Promise<void> => {
  await before?.(db);
  const { error, results } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  }).migrateToLatest();
  if (!error) return;
  // Kysely checks what the database has seen before it runs any migration, but has no error code for what it finds.
  const newer = results === undefined && !hasCode(error) && (await seesUnknown(db, migrations));
  const reason = newer ? 'the database was created by a newer version. Start that version, or use another database.' : reasonOf(error);
  throw new SettingsError([`${setting}: ${reason}`], { cause: error });
};

const hasCode = (error: unknown): error is { readonly code: string; readonly errcode?: number } =>
  typeof (error as { code?: unknown }).code === 'string';

/** Whether the database has seen a migration that this version does not know. */
const seesUnknown = async <Schema>(db: Kysely<Schema>, migrations: Readonly<Record<string, Migration>>): Promise<boolean> => {
  const seen = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return seen.some(({ name }) => !(name in migrations));
};

/**
 * Why the migrations did not run. A database's message may quote stored data, so only the codes of its faults are
 * reported.
 */
const reasonOf = (error: unknown): string => {
  if (!hasCode(error)) return `its tables could not be brought up to date: ${(error as Error).message}.`;
  const { code, errcode } = error;
  if (code === forbidden) return 'the user may not create tables in the database.';
  if (corrupt.has(errcode ?? code)) return 'the database there is damaged. Restore a backup of it.';
  return `its tables could not be brought up to date (${code}).`;
};
