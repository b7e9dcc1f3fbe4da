// A room's durable state: one handle over either database.
import type { Kysely, RawBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

export type DatabaseKind = 'postgres' | 'sqlite';

/** The migrations of one room for one kind of database, by name; they run in the order of their names and never back. */
export type Migrations = (kind: DatabaseKind) => Readonly<Record<string, Migration>>;

export interface Database<Schema> {
  readonly kind: DatabaseKind;
  readonly db: Kysely<Schema>;
  /** The database's own time inside a statement, in epoch milliseconds: the one clock that several replicas share. */
  readonly now: RawBuilder<number>;
  close(): Promise<void>;
}
