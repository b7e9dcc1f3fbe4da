// People in chats: who was asked for, who came, and what has to be told to the hubs that they sit at.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../../platform/database/database.ts';
import { addMissingColumn } from '../../../platform/database/migrate.ts';

const up = async (db: Kysely<unknown>, kind: DatabaseKind) => {
  await db.schema
    .createTable('handoff')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('conversation', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('hub', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('app', 'text')
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('agent', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('accepted_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('ending', 'text')
    .addColumn('wrap_up', 'text')
    .addColumn('letters', 'bigint', (column) => column.notNull())
    .execute();
  // A chat has one person at a time.
  await db.schema
    .createIndex('handoff_open')
    .on('handoff')
    .column('conversation')
    .unique()
    .where(sql.ref('ended_at'), 'is', sql.lit(null))
    .execute();
  await db.schema.createIndex('handoff_overdue').on('handoff').column('due_at').where(sql.ref('due_at'), 'is not', sql.lit(null)).execute();
  await db.schema.createIndex('handoff_conversation').on('handoff').column('conversation').execute();
  await db.schema
    .createTable('handoff_letter')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('handoff_id', 'text', (column) => column.notNull().references('handoff.id').onDelete('cascade'))
    .addColumn('hub', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('given_up', 'text')
    .addUniqueConstraint('handoff_letter_key', ['handoff_id', 'key'])
    .addUniqueConstraint('handoff_letter_number', ['handoff_id', 'number'])
    .execute();
  // Of all letters only those on their way are ever looked for.
  await db.schema
    .createIndex('handoff_letter_due')
    .on('handoff_letter')
    .columns(['hub', 'due_at'])
    .where(sql.ref('due_at'), 'is not', sql.lit(null))
    .execute();
  // The e-mail of whoever asked for it in the customer's stead. In a program that had no handoffs before, it is there.
  await addMissingColumn(db, kind, 'interaction', 'agent_id');
};

export const handoffs = (kind: DatabaseKind): Migration => ({ up: (db) => up(db, kind) });
