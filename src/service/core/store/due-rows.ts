// Rows of a table that are due at `due_at`: each is claimed by one process at a time, and settled only while the claim
// lasts.
import type { Expression, ExpressionBuilder, Selectable, SqlBool, UpdateObject } from 'kysely';
import { claimRows } from '../../../platform/database/claim-rows.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Schema } from './schema.ts';

type DueTable = { [Table in keyof Schema]: Schema[Table] extends { due_at: number } ? Table : never }[keyof Schema];

/** A claimed row. `claim`: when the claim ends. */
export type DueRow<Table extends DueTable> = Selectable<Schema[Table]> & { readonly claim: number };

/**
 * @param key - the table's primary key
 * @param isWaiting - which of its rows wait to be due. Unset: all
 */
export const makeDueRows = <Table extends DueTable>(
  { database }: { readonly database: Database<Schema> },
  table: Table,
  key: keyof Schema[Table] & string,
  isWaiting: (eb: ExpressionBuilder<Schema, Table>) => Expression<SqlBool> = (eb) => eb.lit(true),
) => {
  // As far as this file is concerned, these tables are all alike.
  const [name, id] = [table as 'deliveries', key as 'id'];
  const where = isWaiting as unknown as (eb: ExpressionBuilder<Schema, 'deliveries'>) => Expression<SqlBool>;
  const { db } = database;
  const waiting = () => db.selectFrom(name).where(where).orderBy('due_at').orderBy(id);
  return {
    /**
     * Claims rows that are due. A claim postpones the due time, so one query finds unclaimed rows and those of dead
     * replicas, and no two claims are equal.
     */
    claim: async (now: number, ms: number, limit: number): Promise<DueRow<Table>[]> => {
      const due = waiting().select(id).where('due_at', '<=', now).limit(limit);
      const rows = await claimRows(database, name, id, due, { due_at: now + ms });
      return rows.map((row) => ({ ...row, claim: row.due_at })) as unknown as DueRow<Table>[];
    },
    nextDue: async (): Promise<number | undefined> => (await waiting().select('due_at').limit(1).executeTakeFirst())?.due_at,
    /** Changes a row unless its claim has ended. */
    change: async (row: DueRow<Table>, changes: UpdateObject<Schema, Table>): Promise<void> => {
      const { [id]: own, claim } = row as unknown as DueRow<'deliveries'>;
      await db
        .updateTable(name)
        .set(changes as object)
        .where(id, '=', own)
        .where('due_at', '=', claim)
        .execute();
    },
    /** Deletes a row unless its claim has ended. */
    remove: async (row: DueRow<Table>): Promise<void> => {
      const { [id]: own, claim } = row as unknown as DueRow<'deliveries'>;
      await db.deleteFrom(name).where(id, '=', own).where('due_at', '=', claim).execute();
    },
  };
};
