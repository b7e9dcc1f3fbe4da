// Delivery states of messages, attempts whose outcome may be unknown, and webhooks to be delivered to accounts.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('notes')
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('channel', 'text')
    .addColumn('code', 'text')
    .addColumn('reference', 'text')
    .addColumn('message_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('notes_once', ['request_id', 'message_id', 'type'])
    .execute();

  // Set while an attempt runs, since its answer may get lost.
  await db.schema
    .alterTable('deliveries')
    .addColumn('begun', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('code', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('dead_at', 'bigint')
    .addColumn('dead_code', 'text')
    .execute();
  await db.schema
    .createIndex('webhooks_due')
    .on('webhooks')
    .columns(['account_id', 'url', 'due_at'])
    .where(sql<boolean>`dead_at is null`)
    .execute();
  await db.schema
    .createIndex('webhooks_dead')
    .on('webhooks')
    .columns(['account_id', 'dead_at'])
    .where(sql<boolean>`dead_at is not null`)
    .execute();

  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_endpoints_once', ['account_id', 'url'])
    .execute();
};

export const delivery: Migration = { up };
