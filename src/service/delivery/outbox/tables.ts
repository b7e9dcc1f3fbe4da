// The table of the outbox; core/store/schema.ts says what applies to all tables.
import type { OwnRows } from '../../core/store/erasure.ts';

/** A message as stored in the outbox, which stands in for the customer's phone. */
export interface OutboxTable {
  id: string;
  request_id: string;
  sealed: string;
  created_at: number;
}

declare module '../../core/store/schema.ts' {
  interface Schema {
    outbox: OutboxTable;
  }
}

export const outboxRows: OwnRows = { ofRequests: ['outbox'] };
