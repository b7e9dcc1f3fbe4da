// Bringing a database's tables up to date at start: forward only, each step whole or not at all.
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Log } from '../log.ts';
import { SettingsError } from '../settings/settings-error.ts';
import type { DatabaseKind } from './database.ts';

/** The settings that can name a database. */
export type DatabaseSetting = 'DATA_DIR' | 'DATABASE_URL' | 'SERVICE_DATABASE_URL';

/** Inspects a database that may be of any earlier version, or empty. */
// biome-ignore lint/suspicious/noExplicitAny: what tables there are is what it looks at.
export type LookBefore = (db: Kysely<any>) => Promise<void>;

/** Where a database is, and what is to be known before it is used. */
export interface DatabaseOptions {
  /** An embedded database's file, or `:memory:`. Its setting is DATA_DIR. */
  readonly file: string;
  /** A Postgres address, used instead of the file. */
  readonly url?: string | undefined;
  /** The setting that the address comes from, for messages to the operator. Unset: DATABASE_URL. */
  readonly setting?: DatabaseSetting | undefined;
  /**
   * The Postgres schema of the tables, created if missing, so that rooms may share one database. It is written into every
   * statement: a pooler in between may forget a connection's search path. Unset: the search path decides.
   */
  readonly schema?: string | undefined;
  /** Inspects the database before it is changed. If it throws, the database stays as it is. */
  readonly before?: LookBefore | undefined;
  /**
   * The number of this version's newest migration. Earlier ones that the database has seen and that are not given belong
   * to parts that this program does not have. Unset: all are given.
   */
  readonly newest?: number | undefined;
  readonly log: Log;
}

/** Postgres: insufficient privilege (SQLSTATE 42501). */
const forbidden = '42501';

/**
 * Postgres: data or an index is corrupt. For SQLite a number: SQLITE_CORRUPT or SQLITE_NOTADB
 * (sqlite.org/rescode.html).
 */
const corrupt: ReadonlySet<unknown> = new Set(['XX001', 'XX002', 11, 26]);

/** Whether a newer version made a database that has seen these migrations. Their names begin with their numbers. */
export const isNewer = (seen: readonly string[], known: readonly string[], newest = 0): boolean =>
  seen.some((name) => !known.includes(name) && !(Number.parseInt(name, 10) <= newest));

/**
 * Runs the migrations that the database has not seen, in the order of their names, under the dialect's lock (an
 * advisory lock on Postgres; on SQLite the file's lock keeps others out).
 * @throws {SettingsError} when the database has seen one of a newer version, or when one fails. Nothing is changed then.
 */
export const migrate = async <Schema>(
  db: Kysely<Schema>,
  migrations: Readonly<Record<string, Migration>>,
  setting: DatabaseSetting,
  { schema, before, newest }: Pick<DatabaseOptions, 'before' | 'newest' | 'schema'>,
): Promise<void> => {
  await before?.(db);
  const run = (all: typeof migrations) =>
    new Migrator({
      db,
      provider: { getMigrations: async () => all },
      // Those of a part may be older than what ran before the program had that part.
      allowUnorderedMigrations: true,
      ...(schema !== undefined && { migrationTableSchema: schema }),
    }).migrateToLatest();
  let { error, results } = await run(migrations);
  // Kysely checks what the database has seen before it runs any migration, but has no error code for what it finds.
  if (error && results === undefined && !hasCode(error)) {
    const seen = await namesSeen(db);
    if (isNewer(seen, Object.keys(migrations), newest))
      throw new SettingsError([`${setting}: the database was created by a newer version. Start that version, or use another database.`], {
        cause: error,
      });
    const past = Object.fromEntries(seen.map((name) => [name, { up: async () => {} }]));
    ({ error, results } = await run({ ...past, ...migrations }));
  }
  if (error) throw new SettingsError([`${setting}: ${reasonOf(error)}`], { cause: error });
};

const hasCode = (error: unknown): error is { readonly code: string; readonly errcode?: number } =>
  typeof (error as { code?: unknown }).code === 'string';

/** The migrations that the database has seen. */
const namesSeen = async <Schema>(db: Kysely<Schema>): Promise<string[]> => {
  const seen = (db as unknown as Kysely<{ kysely_migration: { name: string } }>).selectFrom('kysely_migration').select('name');
  return (await seen.execute()).map(({ name }) => name);
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

/** For migrations: adds a column for texts, unless another part of the program has added it. */
export const addMissingColumn = async (db: Kysely<unknown>, kind: DatabaseKind, table: string, column: string): Promise<void> => {
  const found = sql`select 1 from pragma_table_info(${table}) where name = ${column}`;
  if (kind === 'sqlite' && (await found.execute(db)).rows.length > 0) return;
  const unless = sql.raw(kind === 'postgres' ? 'if not exists' : '');
  await sql`alter table ${sql.table(table)} add column ${unless} ${sql.ref(column)} text`.execute(db);
};
