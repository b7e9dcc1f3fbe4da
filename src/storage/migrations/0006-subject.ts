// What an interaction is about, for an outcome that comes when nothing else remembers it.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('interaction').addColumn('subject', 'text').execute();
};

export const subject: Migration = { up };
