// What the customer thought of an outcome: one word, once they have said it.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('interaction').addColumn('rating', 'text').execute();
};

export const ratings: Migration = { up };
