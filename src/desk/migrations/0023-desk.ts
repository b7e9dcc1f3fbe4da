// People who sign in at the desk, and the log of what they looked at; and how whoever writes in a chat stands, beside
// the handoff, so that a queue of hundreds is one read.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../platform/database/database.ts';
import { addMissingColumn } from '../../platform/database/migrate.ts';

const up = async (db: Kysely<unknown>, kind: DatabaseKind) => {
  await db.schema
    .createTable('desk_sessions')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('idle_ms', 'bigint')
    .addColumn('seen_at', 'bigint')
    .addColumn('sealed', 'text')
    .addColumn('tokens', 'text')
    .addColumn('told_at', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('silent', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('desk_sign_ins')
    .addColumn('state_hash', 'text', (column) => column.primaryKey())
    .addColumn('browser_hash', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  // Identifiers begin with the time, so the primary key is also the order.
  await db.schema
    .createTable('desk_accesses')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  // Handoffs have both by themselves now (0043-handoff-verification), and may have had them before they had a desk.
  await addMissingColumn(db, kind, 'handoff', 'verification');
  await db.schema.createIndex('handoff_hub').ifNotExists().on('handoff').columns(['hub', 'created_at']).execute();
};

export const people = (kind: DatabaseKind): Migration => ({ up: (db) => up(db, kind) });
