// When rows were last used, for retention.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../platform/database/database.ts';
import { postgresNow } from '../../platform/database/postgres.ts';
import { sqliteNow } from '../../platform/database/sqlite.ts';

const up = async (db: Kysely<unknown>, kind: DatabaseKind) => {
  const now = kind === 'postgres' ? postgresNow : sqliteNow;
  await db.schema
    .alterTable('bot_state')
    .addColumn('saved_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update bot_state set saved_at = ${now}`.execute(db);
  await db.schema
    .alterTable('chat')
    .addColumn('active_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update chat set active_at = ${now}`.execute(db);
  await db.schema.createIndex('bot_state_age').on('bot_state').column('saved_at').execute();
  await db.schema.createIndex('chat_age').on('chat').column('active_at').execute();
  await db.schema.createIndex('interaction_age').on('interaction').column('created_at').where(sql.ref('told'), '=', sql.lit(1)).execute();
  await db.schema.createIndex('interaction_customer').on('interaction').column('customer_ref').execute();
};

export const ages = (kind: DatabaseKind): Migration => ({ up: (db) => up(db, kind) });
