// Migrations that add a column or two to a table, and what finds them. Their order is that of index.ts.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../platform/database/database.ts';
import { addMissingColumn } from '../../platform/database/migrate.ts';

type Add = (db: Kysely<unknown>) => Promise<unknown>;

const steps = (...adds: readonly Add[]): Migration => ({
  up: async (db) => {
    for (const add of adds) await add(db);
  },
});
const column =
  (table: string, name: string, type: 'bigint' | 'integer' | 'text', build = (made: ColumnDefinitionBuilder) => made): Add =>
  (db) =>
    db.schema.alterTable(table).addColumn(name, type, build).execute();
const zero = (made: ColumnDefinitionBuilder) => made.notNull().defaultTo(0);

/** The place of an interaction in a trace, so that work after a restart joins it. */
export const traceparent = steps(column('interaction', 'traceparent', 'text'));

/** The subject of an interaction, for an outcome that comes after everything else about it is forgotten. */
export const subject = steps(column('interaction', 'subject', 'text'));

/** The size of a chat, to limit it, and when the customer ended it, to end its tokens. */
export const chatBounds = steps(
  column('chat', 'bytes', 'bigint', zero),
  (db) =>
    sql`update chat set bytes = coalesce((select sum(octet_length(activity)) from chat_activity where chat_id = chat.id), 0)`.execute(db),
  column('chat', 'ended_at', 'bigint'),
);

/** Whether the chat of an interaction may see how it stands (docs/decisions/0017). */
export const alike = steps(column('interaction', 'alike', 'integer', zero));

/** Finds recent requests for a phone number where hit and miss must look alike (docs/decisions/0169). */
export const numbers = steps((db) =>
  sql`create index interaction_of_number on interaction (phone_number, created_at) where alike = 1`.execute(db),
);

/** Whether a chat that may not see how an interaction stands has called it off (docs/decisions/0169). */
export const cancelRequests = steps(column('interaction', 'cancel_requested', 'integer', zero));

/** Calls are chats whose voice gateway asks for what was said: how far it has come, and when it was heard of last. */
export const calls = steps(column('chat', 'taken_to', 'bigint', zero), column('chat', 'heard_at', 'bigint'));

/** What the desk may know of a chat that runs with the bot, beside its state: a list of hundreds is one read. */
export const runningChats = steps(column('bot_state', 'running', 'text'), (db) =>
  db.schema.createIndex('bot_state_running').on('bot_state').column('saved_at').where(sql.ref('running'), 'is not', null).execute(),
);

/** What the customer thought of an outcome: one word, once they have said it. */
export const ratings = steps(column('interaction', 'rating', 'text'));

/** Outcomes that a caller has not heard because they had hung up, and whether they were mentioned in a later call. */
export const unheard = steps(column('interaction', 'mentioned', 'integer', zero), (db) =>
  sql`create index interaction_unheard on interaction (phone_number) where state = 'undeliverable' and mentioned = 0`.execute(db),
);

/**
 * Each state is in one index by its age instead of two, since every turn moves it there: those that are listed have one
 * of their own already.
 */
export const idleStates = steps(
  (db) => db.schema.dropIndex('bot_state_age').execute(),
  (db) => db.schema.createIndex('bot_state_idle').on('bot_state').column('saved_at').where(sql.ref('running'), 'is', null).execute(),
);

/**
 * The agent who asked for an interaction on the customer's behalf. Only versions in which handoffs were part of the core
 * have added it before.
 */
export const agents = (kind: DatabaseKind): Migration => ({ up: (db) => addMissingColumn(db, kind, 'interaction', 'agent_id') });
