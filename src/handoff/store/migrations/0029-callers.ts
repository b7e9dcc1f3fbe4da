// Whom a person at the desk would take over, masked, so that they can tell those who wait apart.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('handoff').addColumn('caller', 'text').execute();
};

export const callers: Migration = { up };
