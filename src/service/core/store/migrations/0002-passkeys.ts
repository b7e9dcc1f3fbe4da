// Passkeys and their ceremonies, proofs of a phone, and quotas that hold across restarts and replicas.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const up = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('quotas')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('taken', 'integer', (column) => column.notNull())
    .addColumn('resets_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('passkey_users')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('customer_ref', 'text', (column) => column.notNull())
    .addColumn('handle', 'text', (column) => column.notNull().unique())
    .addPrimaryKeyConstraint('passkey_users_customer', ['account_id', 'customer_ref'])
    .execute();

  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('customer_ref', 'text', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', 'text', (column) => column.notNull())
    .addColumn('backed_up', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_request_id', 'text')
    .addColumn('revoked_at', 'bigint')
    .execute();
  await db.schema.createIndex('passkeys_customer').on('passkeys').columns(['account_id', 'customer_ref']).execute();

  await db.schema
    .createTable('passkey_challenges')
    .addColumn('challenge', 'text', (column) => column.primaryKey())
    .addColumn('request_id', 'text', (column) => column.notNull().references('requests.id').onDelete('cascade'))
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('spent_at', 'bigint')
    .execute();
  await db.schema.createIndex('passkey_challenges_request').on('passkey_challenges').column('request_id').execute();

  await db.schema
    .createTable('phone_proofs')
    .addColumn('request_id', 'text', (column) => column.primaryKey().references('requests.id').onDelete('cascade'))
    .addColumn('code_hash', 'text')
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .addColumn('sends', 'integer', (column) => column.notNull())
    .addColumn('checks', 'integer', (column) => column.notNull())
    .addColumn('code_expires_at', 'bigint', (column) => column.notNull())
    .addColumn('proof_hash', 'text')
    .addColumn('proof_expires_at', 'bigint')
    .execute();

  // A code requested on a device page is a message, but not the one that starts the request.
  await db.schema
    .alterTable('deliveries')
    .addColumn('announced', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
};

export const passkeys: Migration = { up };
