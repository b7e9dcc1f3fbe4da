// The address from which a user signed in to the console. It is unknown for older sessions.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .alterTable('console_sessions')
    .addColumn('address', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
};

export const sessionAddress: Migration = { up };
