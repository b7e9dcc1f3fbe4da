// What is needed to ask an OpenID provider whether a user still has their role, and when to ask again.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Schema } from '../schema.ts';

const up = async (db: Kysely<Schema>) => {
  const sessions = () => db.schema.alterTable('console_sessions');
  await sessions().addColumn('tokens', 'text').execute();
  for (const name of ['told_at', 'due_at'] as const) await sessions().addColumn(name, 'bigint').execute();
  await sessions()
    .addColumn('silent', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Older sessions lack what is needed to ask the provider. Signing in again takes one click.
  await db.deleteFrom('console_sessions').where('idle_ms', 'is not', null).execute();
};

export const standing: Migration = { up };
