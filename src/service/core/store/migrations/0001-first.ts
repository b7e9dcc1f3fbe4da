// Requests with their events, messages to be delivered, the outbox, and idempotency keys.
import type { Migration } from 'kysely/migration';
import { bigint, createIndex, createTable, integer, nullable, ofRequest, primaryKey, text, unique } from './tables.ts';

export const first: Migration = {
  up: async (db) => {
    await createTable(db, 'requests', {
      id: primaryKey,
      account_id: text,
      app: text,
      state: text,
      session_ref: text,
      customer_ref: text,
      phone_number: nullable(text),
      channel: text,
      recipients: text,
      language: text,
      input: text,
      behaviour: nullable(text),
      step: integer,
      created_at: bigint,
      expires_at: bigint,
      due_at: bigint,
      ws_token_hash: unique(nullable(text)),
      link_hash: unique(nullable(text)),
      code_hash: nullable(text),
      checks: integer,
      resends: integer,
      sent_at: bigint,
      last_seq: integer,
      finished_at: nullable(bigint),
      result: nullable(text),
    });
    // Scans search pending requests only, however many are finished.
    await createIndex(db, 'requests_due', 'requests', ['due_at'], "state = 'pending'");
    await createIndex(db, 'requests_customer', 'requests', ['account_id', 'customer_ref', 'app', 'state']);

    const events = { request_id: ofRequest(text), seq: integer, id: text, type: text, created_at: bigint };
    await createTable(db, 'events', events, ['events_position', ['request_id', 'seq']]);

    const message = { id: primaryKey, request_id: ofRequest(text), sealed: text };
    await createTable(db, 'deliveries', { ...message, attempts: integer, due_at: bigint, created_at: bigint });
    await createIndex(db, 'deliveries_due', 'deliveries', ['due_at']);
    await createIndex(db, 'deliveries_request', 'deliveries', ['request_id']);
    await createTable(db, 'outbox', { ...message, created_at: bigint });
    await createIndex(db, 'outbox_newest', 'outbox', ['created_at', 'id']);

    const answers = { account_id: text, key: text, digest: text, request_id: ofRequest(text), answer: text, created_at: bigint };
    await createTable(db, 'idempotency', answers, ['idempotency_key', ['account_id', 'key']]);
  },
};
