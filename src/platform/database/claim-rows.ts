// Claims rows for this process in one statement, so that no two replicas work on one row.
import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql, type UpdateObject } from 'kysely';
import type { Database } from './database.ts';

/** Instants (epoch ms) by the database's clock: that many milliseconds from now. */
export const laterBy = (now: RawBuilder<number>) => (ms: number) => sql<number>`${now} + cast(${ms} as bigint)`;

/** A query that passes over the rows of `table` that another transaction has locked. SQLite has one writer at a time. */
export const skippingLocked = <Schema, From extends keyof Schema & string, Row>(
  kind: Database<Schema>['kind'],
  table: From,
  query: SelectQueryBuilder<Schema, From, Row>,
): SelectQueryBuilder<Schema, From, Row> => (kind === 'postgres' ? query.forNoKeyUpdate(table).skipLocked() : query);

/** The table as far as this file knows it. */
interface Claimed {
  readonly claimed: { readonly key: string };
}

/**
 * Changes the rows of `table` whose `key` the query `found` returns, and returns them as they are then. Each row goes to
 * one of the processes that ask at once.
 */
export const claimRows = <Schema, From extends keyof Schema & string, Table extends From, Row>(
  { db, kind }: Pick<Database<Schema>, 'db' | 'kind'>,
  table: Table,
  key: keyof Schema[Table] & string,
  found: SelectQueryBuilder<Schema, From, Row>,
  changes: UpdateObject<Schema, Table>,
) =>
  (db as unknown as Kysely<Claimed>)
    .with('free', () => skippingLocked(kind, table, found) as unknown as SelectQueryBuilder<Claimed, 'claimed', Claimed['claimed']>)
    .updateTable(table as 'claimed')
    .set(changes as object)
    .where(key as 'key', 'in', (free) => free.selectFrom('free').select(key as 'key'))
    .returningAll()
    .execute() as unknown as Promise<Selectable<Schema[Table]>[]>;
