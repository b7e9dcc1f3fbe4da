// Bringing a database's tables up to date at start: forward only, each step whole or not at all.
import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { SettingsError } from './settings-error.ts';

/** The settings that a database can come from. */
export type DatabaseSetting = 'DATA_DIR' | 'DATABASE_URL' | 'SERVICE_DATABASE_URL';

/** A look at a database that may be of any earlier version, or empty. */
// biome-ignore lint/suspicious/noExplicitAny: what tables there are is what it looks at.
export type LookBefore = (db: Kysely<any>) => Promise<void>;

/** Where the tables are, beside the database itself. */
export interface MigrateOptions {
  /** Where the database comes from, for words to the operator. */
  readonly setting: DatabaseSetting;
  /** The Postgres schema that `db` works in, made where it is not there. Unset: the usual one. */
  readonly schema?: string | undefined;
  /** Looks at what is there before anything is changed; what it throws keeps the database as it is. */
  readonly before?: LookBefore | undefined;
}

/** Postgres: the user may not do that (SQLSTATE 42501). */
const forbidden = '42501';

/** Postgres: data or an index is corrupt. SQLite tells by a number: SQLITE_CORRUPT or SQLITE_NOTADB (sqlite.org/rescode.html). */
const corrupt: ReadonlySet<unknown> = new Set(['XX001', 'XX002', 11, 26]);

/**
 * Runs the migrations that the database has not seen, in the order of their names, under the dialect's lock (an advisory lock on Postgres;
 * on SQLite the file's own lock keeps others out).
 * @throws {SettingsError} when the database has seen a migration that this version does not know, or one fails. Nothing of it is kept then.
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
  // Kysely looks at what the database has seen before it runs any, and has no code for what it finds there.
  const newer = results === undefined && !hasCode(error) && (await seesUnknown(db, migrations));
  const reason = newer ? 'the database there was made by a newer version. Start that version, or use another database.' : reasonOf(error);
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

/** Why the migrations did not run. What a database says may hold what is stored, so that of its faults only the codes are told. */
const reasonOf = (error: unknown): string => {
  if (!hasCode(error)) return `its tables could not be brought up to date: ${(error as Error).message}.`;
  const { code, errcode } = error;
  if (code === forbidden) return 'the user may not create tables in the database.';
  if (corrupt.has(errcode ?? code)) return 'the database there is damaged. Put back a copy of it from before.';
  return `its tables could not be brought up to date (${code}).`;
};
