// Holding a request, so that no other process changes it until the transaction ends.
import type { Transaction } from 'kysely';
import type { DatabaseKind } from '../../../platform/database.ts';
import { sessionColumns } from './own-session.ts';
import type { RequestTable, Schema } from './schema.ts';
import { type HeadColumns, headColumns } from './trail.ts';

/** What is read of a request that is held. */
type Held = HeadColumns & Pick<RequestTable, 'expires_at' | 'state' | (typeof sessionColumns)[number]>;

/**
 * Locks a request for the rest of the transaction, and reads where it stands. A transaction locks everything else after
 * its request (its proofs and payments, then quotas, then its messages): with one order there is no deadlock. SQLite
 * has one transaction at a time, so there is nothing to lock.
 */
export const makeLease =
  (kind: DatabaseKind) =>
  async (transaction: Transaction<Schema>, id: string): Promise<Held | undefined> => {
    const row = transaction
      .selectFrom('requests')
      .select(['state', 'expires_at', ...headColumns, ...sessionColumns])
      .where('id', '=', id);
    // Others may go on referring to the request, which only needs its key.
    return (kind === 'postgres' ? row.forNoKeyUpdate() : row).executeTakeFirst();
  };
