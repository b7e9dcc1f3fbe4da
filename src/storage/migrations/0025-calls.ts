// Calls are chats whose voice gateway asks for what was said: how far it has come, and when it was heard of last.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .alterTable('chat')
    .addColumn('taken_to', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('chat').addColumn('heard_at', 'bigint').execute();
};

export const calls: Migration = { up };
