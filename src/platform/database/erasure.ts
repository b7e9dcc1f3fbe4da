// Erases what is stored about a customer, in one step: rows are counted, removed, and overwritten in the file.
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';

/** Rows about a customer: those of a table for which a condition holds. */
export interface CustomerRows {
  readonly table: string;
  readonly where: RawBuilder<SqlBool>;
  /** What happens to them instead of being removed: this column is emptied, or (`true`) they are only counted. */
  readonly kept?: string | true;
}

/** A list in a statement. SQL does not accept an empty one; nothing is equal to null. */
export const listOf = (values: readonly (number | string)[]) => (values.length === 0 ? sql`(null)` : sql`(${sql.join(values)})`);

/** Whether a text contains another. Not LIKE: that may contain its wildcards. */
export const contains = (kind: Database<unknown>['kind'], text: RawBuilder<unknown>, part: string) =>
  kind === 'postgres' ? sql<SqlBool>`strpos(${text}, ${part}) > 0` : sql<SqlBool>`instr(${text}, ${part}) > 0`;

/** Tables by the names in such rows. */
type Tables = Record<string, Record<string, unknown>>;

/** How many rows there are, by table. */
export const countRows = async <Schema>(db: Kysely<Schema>, all: readonly CustomerRows[]): Promise<Record<string, number>> => {
  const counted: Record<string, number> = {};
  for (const { table, where } of all) {
    const query = (db as unknown as Kysely<Tables>).selectFrom(table).select(sql<number>`count(*)`.as('count')).where(where);
    counted[table] = Number((await query.executeTakeFirstOrThrow()).count);
  }
  return counted;
};

/** Removes the rows, the last table's first: each may refer to those before it. */
export const removeRows = async <Schema>(transaction: Transaction<Schema>, all: readonly CustomerRows[]): Promise<void> => {
  const db = transaction as unknown as Kysely<Tables>;
  for (const { table, where, kept } of all.toReversed()) {
    if (kept === undefined) await db.deleteFrom(table).where(where).execute();
    else if (kept !== true)
      await db
        .updateTable(table)
        .set({ [kept]: '' })
        .where(where)
        .execute();
  }
};

/** Does `work` in one step. Nothing that it removed remains readable in the database's files. */
export const erase = async <Schema, Result>(
  database: Database<Schema>,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result> => {
  const result = await database.db.transaction().execute(work);
  // Deleted rows stay readable in the file until they are overwritten. Postgres leaves this to vacuum.
  if (database.kind === 'sqlite') await database.scrub();
  return result;
};
