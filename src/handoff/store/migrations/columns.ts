// Migrations that add a column to the table of handoffs, and what finds it. Their order is that of tables.ts.
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../../platform/database/database.ts';
import { addMissingColumn } from '../../../platform/database/migrate.ts';

const column = (name: string): Migration => ({ up: (db) => db.schema.alterTable('handoff').addColumn(name, 'text').execute() });

/** Whom a person at the desk would take over, masked, so that they can tell those who wait apart. */
export const callers = column('caller');

/** What a waiting customer has said, so that agents see in the list what each wants. */
export const said = column('said');

/**
 * The verification status of the chat's user, so that a queue of hundreds is one read. Where there is a desk, its
 * migrations have added it before.
 */
export const verifications = (kind: DatabaseKind): Migration => ({
  up: async (db) => {
    await addMissingColumn(db, kind, 'handoff', 'verification');
    await db.schema.createIndex('handoff_hub').ifNotExists().on('handoff').columns(['hub', 'created_at']).execute();
  },
});
