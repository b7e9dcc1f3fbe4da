// The console's sessions, the log of who viewed whose data, and the index for its charts.
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

  // The index contains every counted column, so counting reads no request; pending requests are not in it.
  await db.schema
    .createIndex('requests_finished')
    .on('requests')
    .columns(['finished_at', 'account_id', 'app', 'state'])
    .where(sql<boolean>`finished_at is not null`)
    .execute();
};

export const consoleTables: Migration = { up };
