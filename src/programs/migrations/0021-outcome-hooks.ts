// Where programs want to be told of outcomes, and what they have yet to be told.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('outcome_hook')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('program', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('outcome_hook_program').on('outcome_hook').column('program').execute();
  await db.schema
    .createTable('outcome_letter')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hook_id', 'text', (column) => column.notNull().references('outcome_hook.id').onDelete('cascade'))
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('outcome_letter_subject', ['hook_id', 'subject'])
    .execute();
  await db.schema.createIndex('outcome_letter_due').on('outcome_letter').column('due_at').execute();
};

export const outcomeHooks: Migration = { up };
