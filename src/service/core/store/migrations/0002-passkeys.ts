// Passkeys and their ceremonies, proofs of a phone, and quotas that hold across restarts and replicas.
import type { Migration } from 'kysely/migration';
import {
  addColumns,
  bigint,
  createIndex,
  createTable,
  integer,
  nullable,
  ofRequest,
  primaryKey,
  text,
  unique,
  withDefault,
} from './tables.ts';

export const passkeys: Migration = {
  up: async (db) => {
    await createTable(db, 'quotas', { key: primaryKey, taken: integer, resets_at: bigint });

    const users = { account_id: text, customer_ref: text, handle: unique(text) };
    await createTable(db, 'passkey_users', users, ['passkey_users_customer', ['account_id', 'customer_ref']]);

    await createTable(db, 'passkeys', {
      id: primaryKey,
      account_id: text,
      customer_ref: text,
      public_key: text,
      counter: bigint,
      transports: text,
      backed_up: integer,
      created_at: bigint,
      last_used_at: nullable(bigint),
      last_request_id: nullable(text),
      revoked_at: nullable(bigint),
    });
    await createIndex(db, 'passkeys_customer', 'passkeys', ['account_id', 'customer_ref']);

    await createTable(db, 'passkey_challenges', {
      challenge: primaryKey,
      request_id: ofRequest(text),
      purpose: text,
      expires_at: bigint,
      spent_at: nullable(bigint),
    });
    await createIndex(db, 'passkey_challenges_request', 'passkey_challenges', ['request_id']);

    await createTable(db, 'phone_proofs', {
      request_id: ofRequest(primaryKey),
      code_hash: nullable(text),
      sent_at: bigint,
      sends: integer,
      checks: integer,
      code_expires_at: bigint,
      proof_hash: nullable(text),
      proof_expires_at: nullable(bigint),
    });

    // A code requested on a device page is a message, but not the one that starts the request.
    await addColumns(db, 'deliveries', { announced: withDefault(integer, 1) });
  },
};
