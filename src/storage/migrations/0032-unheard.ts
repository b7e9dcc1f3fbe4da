// Outcomes that a caller has not heard because they had hung up, and whether they were mentioned in a later call.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .alterTable('interaction')
    .addColumn('mentioned', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`create index interaction_unheard on interaction (phone_number) where state = 'undeliverable' and mentioned = 0`.execute(db);
};

export const unheard: Migration = { up };
