// A room's durable state: one handle over either database.
import type { Kysely, RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The migrations of one room for one kind of database, by name; they run in the order of their names and never back. */
export type Migrations = (kind: DatabaseKind) => Readonly<Record<string, Migration>>;

interface Handle<Schema> {
  readonly db: Kysely<Schema>;
  /** The database's own time inside a statement, in epoch milliseconds: the one clock that several replicas share. */
  readonly now: RawBuilder<number>;
  close(): Promise<void>;
}

/** No connection to the database is to be had now. Later one may be. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** What the database or the network said, where either said something. */
  readonly code: string;

  constructor(cause: unknown) {
    const { code } = Object(cause) as { code?: unknown };
    super('database_unavailable', { cause });
    this.code = typeof code === 'string' ? code : 'no_connection';
  }
}

/** The embedded database: this process is the only one that has it. */
export interface EmbeddedDatabase<Schema> extends Handle<Schema> {
  readonly kind: 'sqlite';
  /** Empties the log beside the file, which holds what the file held before. What was deleted in the file itself is zeroes. */
  forget(): Promise<void>;
  /** Writes the file anew, so that nothing of what was deleted is left in it or beside it. */
  scrub(): Promise<void>;
}

/** A database that several processes share. */
export interface SharedDatabase<Schema> extends Handle<Schema> {
  readonly kind: 'postgres';
  /** Opens a connection of its own beside the pool. @throws when it cannot be had now. */
  session(): Promise<Session<Schema>>;
}

export type Database<Schema> = EmbeddedDatabase<Schema> | SharedDatabase<Schema>;
export type DatabaseKind = Database<unknown>['kind'];

/** One connection: what is locked or listened to on it ends with it. Its statements run one after the other. */
export interface Session<Schema> {
  readonly db: Kysely<Schema>;
  /** Aborts when the connection is gone. */
  readonly lost: AbortSignal;
  /** Hears what others notify on a channel. */
  listen(channel: string, hear: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
}
