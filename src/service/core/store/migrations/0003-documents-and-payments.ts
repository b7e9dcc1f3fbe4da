// Checkouts with their gateways' events, the sandbox's state, and signed documents.
import type { Migration } from 'kysely/migration';
import { bigint, createIndex, createTable, integer, nullable, ofRequest, primaryKey, text, unique } from './tables.ts';

export const documentsAndPayments: Migration = {
  up: async (db) => {
    await createTable(db, 'checkouts', {
      request_id: ofRequest(primaryKey),
      gateway: text,
      attempt: integer,
      gateway_id: nullable(text),
      url: nullable(text),
      state: text,
      amount: text,
      currency: text,
      tries: integer,
      due_at: bigint,
      created_at: bigint,
    });
    await db.schema.createIndex('checkouts_gateway').on('checkouts').columns(['gateway', 'gateway_id']).unique().execute();
    // The search for checkouts to close covers only open ones.
    await createIndex(db, 'checkouts_open', 'checkouts', ['due_at'], "state = 'open'");

    await createTable(db, 'gateway_events', { gateway: text, id: text, created_at: bigint }, ['gateway_events_once', ['gateway', 'id']]);

    await createTable(db, 'sandbox_checkouts', {
      id: primaryKey,
      request_id: ofRequest(text),
      key: unique(text),
      title: text,
      amount: text,
      currency: text,
      language: text,
      back_url: text,
      state: text,
      transaction_id: nullable(text),
      created_at: bigint,
    });

    const document = { request_id: ofRequest(primaryKey), text_digest: text, file_digest: text, sealed: text, created_at: bigint };
    await createTable(db, 'signed_documents', document);
  },
};
