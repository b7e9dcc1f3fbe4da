// A hub may know a handoff by a name of its own, and its agents' acts may have to be read there: how far they have been
// read, and when they are read again.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema.alterTable('handoff').addColumn('place', 'text').execute();
  await db.schema.alterTable('handoff').addColumn('seen', 'bigint').execute();
  await db.schema.alterTable('handoff').addColumn('look_at', 'bigint').execute();
  await db.schema.alterTable('handoff').addColumn('quiet', 'integer').execute();
  await db.schema.createIndex('handoff_place').on('handoff').columns(['hub', 'place']).execute();
  // Of all handoffs only those that are read again are ever looked for.
  await db.schema
    .createIndex('handoff_look')
    .on('handoff')
    .columns(['hub', 'look_at'])
    .where(sql.ref('look_at'), 'is not', sql.lit(null))
    .execute();
};

export const hubPlaces: Migration = { up };
