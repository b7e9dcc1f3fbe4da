// Messages to be delivered to customers: stored with the request, removed once delivered.
import type { Selectable } from 'kysely';
import { claimRows } from '../../../platform/database/claim-rows.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Failure, Settlement } from '../../../platform/retry-queue.ts';
import type { DeliveryTable, Schema } from './schema.ts';

/** A message to hand over, sealed. Writes to it take effect only while nobody else has claimed it. */
export type DueDelivery = Readonly<ReturnType<typeof asDue>>;

export const makeDeliveries = (database: Database<Schema>) => {
  const { db } = database;
  return {
    /** Messages that are due, claimed until `until`. */
    claimDue: async (now: number, until: number, limit: number): Promise<readonly DueDelivery[]> => {
      const due = db.selectFrom('deliveries').select('id').where('due_at', '<=', now).orderBy('due_at').limit(limit);
      // A claim postpones the due time, so one query finds unclaimed messages and those of dead replicas, and no two
      // claims are equal.
      const rows = await claimRows(database, 'deliveries', 'id', due, { due_at: until });
      return rows.map(asDue);
    },
    nextDue: async (): Promise<number | undefined> =>
      (await db.selectFrom('deliveries').select('due_at').orderBy('due_at').limit(1).executeTakeFirst())?.due_at,
    /** Records that an attempt begins. Its answer may get lost. */
    begin: async ({ id, claim }: DueDelivery): Promise<void> => {
      await db.updateTable('deliveries').set({ begun: 1 }).where('id', '=', id).where('due_at', '=', claim).execute();
    },
    /**
     * Records what becomes of a message that was not handed over. After a failure that was no clear refusal, it may
     * have been.
     */
    settle: async ({ id, claim }: DueDelivery, fate: Settlement, at: number, failure?: Failure): Promise<void> => {
      if ('again' in fate) {
        const { again, attempts } = fate;
        const later = { attempts, due_at: at + again, ...(failure && { begun: failure.refused ? 0 : 1 }) };
        await db.updateTable('deliveries').set(later).where('id', '=', id).where('due_at', '=', claim).execute();
      } else {
        await db.deleteFrom('deliveries').where('id', '=', id).where('due_at', '=', claim).execute();
      }
    },
  };
};

const asDue = ({ id, request_id, sealed, attempts, due_at, created_at, announced, begun }: Selectable<DeliveryTable>) => ({
  id,
  claim: due_at,
  requestId: request_id,
  sealed,
  attempts,
  createdAt: created_at,
  /** Whether it is the request's own message rather than one requested on its page. */
  announced: announced === 1,
  /** Whether an attempt was begun whose outcome is unknown. */
  begun: begun === 1,
});
