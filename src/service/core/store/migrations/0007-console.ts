// Who is signed in at the console, who looked at whose data there, and the index that its charts are counted by.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('console_sessions')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('console_sessions_over').on('console_sessions').column('expires_at').execute();

  await db.schema
    .createTable('console_accesses')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();

  // Everything that is counted stands in the index, so that no request is read for it; what is pending is not in it.
  await db.schema
    .createIndex('requests_finished')
    .on('requests')
    .columns(['finished_at', 'account_id', 'app', 'state'])
    .where(sql<boolean>`finished_at is not null`)
    .execute();
};

export const consoleTables: Migration = { up };
