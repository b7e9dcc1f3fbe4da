// Embedded SQLite for Kysely over Node's own driver: one file, one process, every commit on disk before it is
// acknowledged.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { type Driver, Kysely, SqliteAdapter, SqliteDialect, sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { SettingsError } from '../settings/settings-error.ts';
import { type EmbeddedConnection, GroupingDriver } from './grouping-driver.ts';

const inMemory = ':memory:';

/**
 * Where SQLite keeps the pages that a savepoint would restore (sqlite.org/tempfiles.html, 2.3). Every part of a grouped
 * commit has a savepoint; in a file, its pages would be written twice. A crash needs none of them.
 */
const forSavepoints = 'MEMORY';

/** The database's time inside a statement, in epoch milliseconds. */
export const sqliteNow = sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;

/**
 * Opens a database file (creating it if needed), or `:memory:`. WAL with `synchronous=FULL`: commits survive kill -9
 * and power loss. A lock beside the file keeps a second process out for as long as this one lives. All of its files
 * have mode 0600, whatever the folder's mode.
 * @throws {SettingsError} when the folder is not writable, or another process has the file.
 */
export const openSqlite = <Schema>(file: string): Kysely<Schema> => {
  const release = file === inMemory ? () => {} : lock(file);
  try {
    if (file !== inMemory) keepPrivate(file);
    const database = new DatabaseSync(file);
    database.exec(
      'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000; PRAGMA secure_delete=ON;',
    );
    database.exec(`PRAGMA temp_store=${forSavepoints}`);
    return new Kysely<Schema>({ dialect: new Dialect(asKyselyDatabase(database, release), file !== inMemory) });
  } catch (cause) {
    release();
    throw unusable(file, cause);
  }
};

/**
 * Opens a database file for reading while another process has it open: in WAL mode readers block nobody
 * (sqlite.org/wal.html).
 * @throws {SettingsError} when it cannot be opened.
 */
export const readSqlite = <Schema>(file: string): Kysely<Schema> => {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    database.exec('PRAGMA busy_timeout=5000;');
    return new Kysely<Schema>({
      dialect: new Dialect(
        asKyselyDatabase(database, () => {}),
        false,
      ),
    });
  } catch (cause) {
    throw new SettingsError([`DATA_DIR: ${file} cannot be read.`], { cause });
  }
};

/** Whether a file could not be opened because another process has it (sqlite.org/rescode.html#busy). */
export const isInUse = ({ cause }: Error): boolean => (cause as { readonly errcode?: number } | undefined)?.errcode === 5;

/**
 * Moves the contents of the write-ahead log into the file and empties the log
 * (sqlite.org/pragma.html#pragma_wal_checkpoint).
 */
export const emptyLog = async <Schema>(db: Kysely<Schema>): Promise<void> => {
  await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
};

/** Rewrites the file without its free pages (sqlite.org/lang_vacuum.html), and empties the log. */
export const scrubSqlite = async <Schema>(db: Kysely<Schema>): Promise<void> => {
  // The copy that it works on is as large as the database, and does not belong in memory.
  await sql`PRAGMA temp_store=FILE`.execute(db);
  await sql`VACUUM`.execute(db);
  await sql`PRAGMA temp_store=${sql.raw(forSavepoints)}`.execute(db);
  await emptyLog(db);
};

class Adapter extends SqliteAdapter {
  /**
   * SQLite can change tables in a transaction (sqlite.org/lang_transaction.html), so a migration that fails or is cut
   * off leaves nothing behind.
   */
  override get supportsTransactionalDdl() {
    return true;
  }

  /** Our driver keeps concurrent users apart. */
  override get supportsMultipleConnections() {
    return true;
  }
}

class Dialect extends SqliteDialect {
  readonly #database: EmbeddedConnection;
  readonly #waitForOthers: boolean;

  constructor(database: EmbeddedConnection, waitForOthers: boolean) {
    super({ database });
    this.#database = database;
    this.#waitForOthers = waitForOthers;
  }

  override createAdapter(): SqliteAdapter {
    return new Adapter();
  }

  override createDriver(): Driver {
    // Without a disk, grouping commits would gain nothing.
    return this.#waitForOthers ? new GroupingDriver(this.#database) : new GroupingDriver(this.#database, (commit) => commit());
  }
}

/**
 * Locks the lock file with an exclusive transaction. The operating system releases it when the process ends in any way.
 */
const lock = (file: string): (() => void) => {
  let holder: DatabaseSync | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    keepPrivate(`${file}.lock`);
    holder = new DatabaseSync(`${file}.lock`);
    holder.exec('PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;');
    const held = holder;
    return () => held.close();
  } catch (cause) {
    holder?.close();
    throw unusable(file, cause);
  }
};

/** The files that SQLite keeps beside a database, with its mode (sqlite.org/tempfiles.html). */
const beside = ['', '-wal', '-shm', '-journal'];

/**
 * Creates the file empty, before SQLite would create it readable by others. Takes away others' access to existing files
 * of this user, without opening them: closing one again would end the locks that this process has on it
 * (sqlite.org/howtocorrupt.html, 2.2).
 */
const keepPrivate = (file: string) => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
  }
  for (const name of beside.map((suffix) => `${file}${suffix}`)) {
    const there = statSync(name, { throwIfNoEntry: false });
    if (there && there.uid === process.getuid?.() && (there.mode & 0o077) !== 0) chmodSync(name, 0o600);
  }
};

const unusable = (file: string, cause: unknown) =>
  new SettingsError(
    [
      /locked/.test(String(cause))
        ? `DATA_DIR: another process is using ${file}. Stop it, or give this one a DATA_DIR of its own.`
        : `DATA_DIR: ${file} cannot be opened for writing. Choose a folder this user may write to.`,
    ],
    { cause },
  );

const asKyselyDatabase = (database: DatabaseSync, release: () => void): EmbeddedConnection => {
  /** With whether they return rows, which is expensive to find out. */
  const prepared = new LRUCache<string, { readonly ready: StatementSync; readonly reader: boolean }>({ max: 200 });
  return {
    get isTransaction() {
      return database.isTransaction;
    },
    close: () => {
      database.close();
      release();
    },
    prepare: (sql) => {
      let statement = prepared.get(sql);
      if (!statement) {
        const ready = database.prepare(sql);
        statement = { ready, reader: ready.columns().length > 0 };
        prepared.set(sql, statement);
      }
      const { ready, reader } = statement;
      const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
      return {
        reader,
        all: (parameters) => ready.all(...values(parameters)),
        run: (parameters) => ready.run(...values(parameters)),
        iterate: (parameters) => ready.iterate(...values(parameters)),
      };
    },
  };
};
