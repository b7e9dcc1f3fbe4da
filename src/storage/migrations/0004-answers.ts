// Answers to activities, for channels that deliver one again.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('answer')
    .addColumn('delivery', 'text', (column) => column.primaryKey())
    .addColumn('state_key', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  // For removing old ones, and those of one conversation.
  await db.schema.createIndex('answer_age').on('answer').column('created_at').execute();
  await db.schema.createIndex('answer_conversation').on('answer').column('state_key').execute();
};

export const answers: Migration = { up };
