// Interactions, bot state and our own Direct Line's chats.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../platform/database/database.ts';

const up = async (db: Kysely<unknown>, kind: DatabaseKind) => {
  await db.schema
    .createTable('interaction')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('app', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('conversation', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('session_ref', 'text', (column) => column.notNull())
    .addColumn('customer_ref', 'text', (column) => column.notNull())
    .addColumn('phone_number', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text')
    .addColumn('ws_token', 'text')
    .addColumn('progress', 'text', (column) => column.notNull())
    .addColumn('mistyped', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('refusal', 'text')
    .addColumn('told', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deadline', 'bigint', (column) => column.notNull())
    .execute();
  // Only unfinished ones are ever scanned, however many rows there are.
  await db.schema.createIndex('interaction_unfinished').on('interaction').column('id').where(sql.ref('told'), '=', sql.lit(0)).execute();
  await db.schema.createIndex('interaction_conversation').on('interaction').columns(['conversation', 'state']).execute();

  await db.schema
    .createTable('bot_state')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('etag', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('chat')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('watermark', 'bigint', (column) => column.notNull())
    .addColumn('started', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('chat_activity')
    .addColumn('chat_id', 'text', (column) => column.notNull().references('chat.id').onDelete('cascade'))
    .addColumn('activity_id', 'text', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('activity', 'text', (column) => column.notNull())
    .addColumn('dedupe_key', 'text')
    .addColumn('awaits_turn', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('chat_activity_id', ['chat_id', 'activity_id'])
    .addUniqueConstraint('chat_activity_dedupe', ['chat_id', 'dedupe_key'])
    .execute();
  await db.schema.createIndex('chat_activity_revision').on('chat_activity').columns(['chat_id', 'revision']).execute();
  await db.schema
    .createTable('chat_file')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('chat_id', 'text', (column) => column.notNull().references('chat.id').onDelete('cascade'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('content', kind === 'postgres' ? 'bytea' : 'blob', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('chat_file_chat').on('chat_file').column('chat_id').execute();
};

export const first = (kind: DatabaseKind): Migration => ({ up: (db) => up(db, kind) });
