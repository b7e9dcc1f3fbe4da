// Whether the chat of an interaction may see how it stands (docs/decisions/0017).
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .alterTable('interaction')
    .addColumn('alike', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
};

export const alike: Migration = { up };
