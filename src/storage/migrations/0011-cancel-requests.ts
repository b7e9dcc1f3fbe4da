// Whether a chat that may not see how an interaction stands has called it off (docs/decisions/0169).
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .alterTable('interaction')
    .addColumn('cancel_requested', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
};

export const cancelRequests: Migration = { up };
