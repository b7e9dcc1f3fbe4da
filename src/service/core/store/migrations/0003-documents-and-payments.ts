// Checkouts with their gateways' events, the sandbox's state, and signed documents.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('checkouts')
    .addColumn('request_id', 'text', (column) => column.primaryKey().references('requests.id').onDelete('cascade'))
    .addColumn('gateway', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('gateway_id', 'text')
    .addColumn('url', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('checkouts_gateway').on('checkouts').columns(['gateway', 'gateway_id']).unique().execute();
  // The search for checkouts to close covers only open ones.
  await db.schema.createIndex('checkouts_open').on('checkouts').column('due_at').where(sql<boolean>`state = 'open'`).execute();

  await db.schema
    .createTable('gateway_events')
    .addColumn('gateway', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('gateway_events_once', ['gateway', 'id'])
    .execute();

  await db.schema
    .createTable('sandbox_checkouts')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('amount', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('back_url', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('transaction_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('signed_documents')
    .addColumn('request_id', 'text', (column) => column.primaryKey().references('requests.id').onDelete('cascade'))
    .addColumn('text_digest', 'text', (column) => column.notNull())
    .addColumn('file_digest', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
};

export const documentsAndPayments: Migration = { up };
