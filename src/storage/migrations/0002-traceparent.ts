// The place of an interaction in a trace, so that work after a restart joins it.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('interaction').addColumn('traceparent', 'text').execute();
};

export const traceparent: Migration = { up };
