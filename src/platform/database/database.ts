// A room's durable state, with the same handle over either database.
import type { Kysely, RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The migrations of one room for one kind of database, by name. They run in the order of their names, and are never
 * reversed.
 */
export type Migrations = (kind: DatabaseKind) => Readonly<Record<string, Migration>>;

interface Handle<Schema> {
  readonly db: Kysely<Schema>;
  /** The database's time inside a statement, in epoch milliseconds: the one clock that replicas share. */
  readonly now: RawBuilder<number>;
  close(): Promise<void>;
}

/** No connection to the database is available now. One may be later. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** The message of the database or the network, if there was one. */
  readonly code: string;

  constructor(cause: unknown) {
    const { code } = Object(cause) as { code?: unknown };
    super('database_unavailable', { cause });
    this.code = typeof code === 'string' ? code : 'no_connection';
  }
}

/** The embedded database. Only this process has it open. */
export interface EmbeddedDatabase<Schema> extends Handle<Schema> {
  readonly kind: 'sqlite';
  /**
   * Empties the write-ahead log, which may still contain deleted data. In the file itself, deleted data is overwritten
   * with zeroes.
   */
  forget(): Promise<void>;
  /** Rewrites the file, so that no deleted data remains in it or beside it. */
  scrub(): Promise<void>;
}

/** A database that several processes share. */
export interface SharedDatabase<Schema> extends Handle<Schema> {
  readonly kind: 'postgres';
  /** Opens a separate connection beside the pool. @throws when none is available now. */
  session(): Promise<DatabaseSession<Schema>>;
}

export type Database<Schema> = EmbeddedDatabase<Schema> | SharedDatabase<Schema>;
export type DatabaseKind = Database<unknown>['kind'];

/** One connection. Its locks and listeners end with it, and its statements run one after the other. */
export interface DatabaseSession<Schema> {
  readonly db: Kysely<Schema>;
  /** Aborts when the connection is gone. */
  readonly lost: AbortSignal;
  /** Receives the notifications of a channel. */
  listen(channel: string, hear: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
}
