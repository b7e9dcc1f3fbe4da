// The versions of flows that conversations began with: they finish in them, whatever becomes of the files.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('flow_version')
    .addColumn('version', 'text', (column) => column.primaryKey())
    .addColumn('flow', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('begun_at', 'bigint', (column) => column.notNull())
    .execute();
};

export const flowVersions: Migration = { up };
