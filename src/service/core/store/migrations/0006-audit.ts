// The audit trail: chained entries, and the sealed end of each request's chain.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('audit')
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('ip', 'text')
    .addColumn('user_agent', 'text')
    .addColumn('previous', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_position', ['request_id', 'seq'])
    .execute();

  await db.schema
    .alterTable('requests')
    .addColumn('audit_seq', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  for (const name of ['audit_hash', 'audit_seal']) {
    await db.schema
      .alterTable('requests')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  }
};

export const audit: Migration = { up };
