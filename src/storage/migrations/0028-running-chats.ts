// What the desk may know of a chat that runs with the bot, beside its state: a list of hundreds is one read.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('bot_state').addColumn('running', 'text').execute();
  await db.schema.createIndex('bot_state_running').on('bot_state').column('saved_at').where(sql.ref('running'), 'is not', null).execute();
};

export const runningChats: Migration = { up };
