// The size of a chat, to limit it, and when the customer ended it, to end its tokens.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .alterTable('chat')
    .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update chat set bytes = coalesce((select sum(octet_length(activity)) from chat_activity where chat_id = chat.id), 0)`.execute(
    db,
  );
  await db.schema.alterTable('chat').addColumn('ended_at', 'bigint').execute();
};

export const chatBounds: Migration = { up };
