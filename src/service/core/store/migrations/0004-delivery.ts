// Delivery states of messages, attempts whose outcome may be unknown, and webhooks to be delivered to accounts.
import type { Migration } from 'kysely/migration';
import { addColumns, bigint, createIndex, createTable, integer, nullable, ofRequest, primaryKey, text, withDefault } from './tables.ts';

export const delivery: Migration = {
  up: async (db) => {
    const notes = {
      request_id: ofRequest(text),
      message_id: text,
      type: text,
      channel: nullable(text),
      code: nullable(text),
      reference: nullable(text),
      message_at: nullable(bigint),
      created_at: bigint,
    };
    await createTable(db, 'notes', notes, ['notes_once', ['request_id', 'message_id', 'type']]);

    // Set while an attempt runs, since its answer may get lost.
    await addColumns(db, 'deliveries', { begun: withDefault(integer, 0) });

    await createTable(db, 'webhooks', {
      id: primaryKey,
      account_id: text,
      url: text,
      type: text,
      request_id: ofRequest(text),
      code: nullable(text),
      attempts: integer,
      due_at: bigint,
      created_at: bigint,
      dead_at: nullable(bigint),
      dead_code: nullable(text),
    });
    await createIndex(db, 'webhooks_due', 'webhooks', ['account_id', 'url', 'due_at'], 'dead_at is null');
    await createIndex(db, 'webhooks_dead', 'webhooks', ['account_id', 'dead_at'], 'dead_at is not null');

    const endpoints = { account_id: text, url: text, disabled_at: bigint };
    await createTable(db, 'webhook_endpoints', endpoints, ['webhook_endpoints_once', ['account_id', 'url']]);
  },
};
