// Signing in at the console with an OpenID provider: sign-ins in progress, and what sessions store of the provider.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('console_sign_ins')
    .addColumn('state_hash', 'text', (column) => column.primaryKey())
    .addColumn('browser_hash', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('console_sign_ins_over').on('console_sign_ins').column('expires_at').execute();

  // Existing sessions were started with a link.
  await db.schema
    .alterTable('console_sessions')
    .addColumn('subject', 'text', (column) => column.notNull().defaultTo('sign-in link'))
    .execute();
  for (const name of ['idle_ms', 'seen_at'] as const) await db.schema.alterTable('console_sessions').addColumn(name, 'bigint').execute();
  await db.schema.alterTable('console_sessions').addColumn('sealed', 'text').execute();
};

export const signIn: Migration = { up };
