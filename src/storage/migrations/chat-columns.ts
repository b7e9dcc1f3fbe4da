// Migrations that add to the tables of chats and their states. Their order is that of index.ts.
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The size of a chat, to limit it, and when the customer ended it, to end its tokens. */
export const chatBounds: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('chat')
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update chat set bytes = coalesce((select sum(octet_length(activity)) from chat_activity where chat_id = chat.id), 0)`.execute(
      db,
    );
    await db.schema.alterTable('chat').addColumn('ended_at', 'bigint').execute();
  },
};

/** Calls are chats whose voice gateway asks for what was said: how far it has come, and when it was heard of last. */
export const calls: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('chat')
      .addColumn('taken_to', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('chat').addColumn('heard_at', 'bigint').execute();
  },
};

/** What the desk may know of a chat that runs with the bot, beside its state: a list of hundreds is one read. */
export const runningChats: Migration = {
  up: async (db) => {
    await db.schema.alterTable('bot_state').addColumn('running', 'text').execute();
    await db.schema.createIndex('bot_state_running').on('bot_state').column('saved_at').where(sql.ref('running'), 'is not', null).execute();
  },
};

/**
 * Each state is in one index by its age instead of two, since every turn moves it there: those that are listed have one
 * of their own already.
 */
export const idleStates: Migration = {
  up: async (db) => {
    await db.schema.dropIndex('bot_state_age').execute();
    await db.schema.createIndex('bot_state_idle').on('bot_state').column('saved_at').where(sql.ref('running'), 'is', null).execute();
  },
};
