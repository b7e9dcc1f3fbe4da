// Locks a request, so that no other process changes it until the transaction ends.
import type { Transaction } from 'kysely';
import type { DatabaseKind } from '../../../platform/database/database.ts';
import { type HeadColumns, headColumns } from '../audit/trail.ts';
import { type SessionColumns, sessionColumns } from '../limits/stored-quotas.ts';
import type { RequestTable, Schema } from './schema.ts';

/** The columns that are read of a locked request. */
export type Held = HeadColumns & SessionColumns & Pick<RequestTable, 'expires_at' | 'state'>;

/**
 * Locks a request for the rest of the transaction, and reads its state. A transaction locks everything else after the
 * request (its proofs and payments, then quotas, then its messages): a fixed order prevents deadlocks. SQLite runs one
 * transaction at a time, so it needs no lock.
 */
export const makeLease =
  (kind: DatabaseKind) =>
  async (transaction: Transaction<Schema>, id: string): Promise<Held | undefined> => {
    const row = transaction
      .selectFrom('requests')
      .select(['state', 'expires_at', ...headColumns, ...sessionColumns])
      .where('id', '=', id);
    // Other transactions may still refer to the request, which needs only its key.
    return (kind === 'postgres' ? row.forNoKeyUpdate() : row).executeTakeFirst();
  };
