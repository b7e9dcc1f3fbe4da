// Requests with their events, messages to be delivered, the outbox, and idempotency keys.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('app', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('session_ref', 'text', (column) => column.notNull())
    .addColumn('customer_ref', 'text', (column) => column.notNull())
    .addColumn('phone_number', 'text')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('recipients', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('behaviour', 'text')
    .addColumn('step', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('ws_token_hash', 'text', (column) => column.unique())
    .addColumn('link_hash', 'text', (column) => column.unique())
    .addColumn('code_hash', 'text')
    .addColumn('checks', 'integer', (column) => column.notNull())
    .addColumn('resends', 'integer', (column) => column.notNull())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seq', 'integer', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('result', 'text')
    .execute();
  // Scans search pending requests only, however many are finished.
  const pending = sql<boolean>`state = 'pending'`;
  await db.schema.createIndex('requests_due').on('requests').column('due_at').where(pending).execute();
  await db.schema.createIndex('requests_customer').on('requests').columns(['account_id', 'customer_ref', 'app', 'state']).execute();

  await db.schema
    .createTable('events')
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('events_position', ['request_id', 'seq'])
    .execute();

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('deliveries_due').on('deliveries').column('due_at').execute();
  await db.schema.createIndex('deliveries_request').on('deliveries').column('request_id').execute();

  await db.schema
    .createTable('outbox')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('outbox_newest').on('outbox').columns(['created_at', 'id']).execute();

  await db.schema
    .createTable('idempotency')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_key', ['account_id', 'key'])
    .execute();
};

export const first: Migration = { up };
