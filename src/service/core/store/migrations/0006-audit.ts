// The audit trail: chained entries, and the sealed end of each request's chain.
import type { Migration } from 'kysely/migration';
import { addColumns, bigint, createTable, integer, nullable, ofRequest, text, withDefault } from './tables.ts';

export const audit: Migration = {
  up: async (db) => {
    const entries = {
      request_id: ofRequest(text),
      seq: integer,
      at: bigint,
      actor: text,
      action: text,
      detail: text,
      ip: nullable(text),
      user_agent: nullable(text),
      previous: text,
      hash: text,
    };
    await createTable(db, 'audit', entries, ['audit_position', ['request_id', 'seq']]);
    const head = { audit_seq: withDefault(integer, 0), audit_hash: withDefault(text, ''), audit_seal: withDefault(text, '') };
    await addColumns(db, 'requests', head);
  },
};
