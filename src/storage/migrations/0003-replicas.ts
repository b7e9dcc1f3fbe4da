// Several replicas on one database: which are alive, and which works on an interaction.
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { DatabaseKind } from '../../platform/database/database.ts';

const up = async (db: Kysely<unknown>, kind: DatabaseKind) => {
  await db.schema
    .createTable('replica')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('lock_key', 'integer', (column) => column.notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  // Unclaimed rows belong to a replica without a name whose lease ended long ago, so that "free" is a single condition.
  await sql`insert into replica (id, lease_until, lock_key) values ('', 0, 0)`.execute(db);

  await db.schema
    .alterTable('interaction')
    .addColumn('owner', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable('interaction')
    .addColumn('epoch', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex('interaction_unfinished').execute();
  // Only unfinished ones are ever scanned, by their owner.
  await db.schema
    .createIndex('interaction_unfinished')
    .on('interaction')
    .columns(['owner', 'id'])
    .where(sql.ref('told'), '=', sql.lit(0))
    .execute();

  // A single process keeps its turns apart in memory. Several use rows, which need not survive a crash of the database.
  if (kind === 'postgres')
    await db.schema
      .createTable('turn_lease')
      .modifyFront(sql`unlogged`)
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('lease_until', 'bigint', (column) => column.notNull())
      .execute();
};

export const replicas = (kind: DatabaseKind): Migration => ({ up: (db) => up(db, kind) });
