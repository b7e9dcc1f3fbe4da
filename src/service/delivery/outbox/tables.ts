// The table of the outbox; core/store/schema.ts says what applies to all tables.
import type { OwnRows } from '../../core/store/erasure.ts';

declare module '../../core/store/schema.ts' {
  interface Schema {
    /** A message as stored in the outbox, which stands in for the customer's phone. */
    outbox: { id: string; request_id: string; sealed: string; created_at: number };
  }
}

export const outboxRows: OwnRows = { ofRequests: ['outbox'] };
