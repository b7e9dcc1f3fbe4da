// The subject of an interaction, for an outcome that comes after everything else about it is forgotten.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('interaction').addColumn('subject', 'text').execute();
};

export const subject: Migration = { up };
