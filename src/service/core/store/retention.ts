// Retention: removes from all tables who the customers were and what was in requests; that something was done, and the
// digests that prove it, remain (docs/decisions/0072).
import { type Kysely, sql, type Transaction } from 'kysely';
import { skippingLocked } from '../../../platform/database/claim-rows.ts';
import type { Database } from '../../../platform/database/database.ts';
import { system } from '../audit/origin.ts';
import type { Trail } from '../audit/trail.ts';
import { emptyRequest, whole } from './erasure.ts';
import type { Schema } from './schema.ts';

export interface Retention {
  /**
   * Empties requests that ended before an instant, up to a limit, and related rows. Resolves to the number of requests.
   */
  forgetRequests(before: number, limit: number, at: number): Promise<number>;
  /**
   * Removes rows that no request refers to and that were not used since: expired quotas, passkeys, gateway events.
   * Resolves to their number.
   */
  forgetRest(before: number, at: number): Promise<number>;
}

export const makeRetention = ({ db, kind }: Database<Schema>, trail: Pick<Trail, 'erase'>): Retention => ({
  forgetRequests: (before, limit, at) =>
    db.transaction().execute(async (transaction) => {
      const past = transaction
        .selectFrom('requests')
        .select('id')
        .where('finished_at', '<', before)
        // The condition of the index: emptied requests are not found again.
        .where(sql<boolean>`finished_at is not null and session_ref <> ''`)
        // Requests that can still be paid are kept for now.
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('checkouts').select('state').whereRef('request_id', '=', 'requests.id').where('state', '=', 'open'))),
        )
        .orderBy('finished_at')
        .limit(limit);
      const rows = await skippingLocked<Schema, 'requests', { id: string }>(kind, 'requests', past).execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      for (const table of [...whole, 'events', 'notes'] as unknown as readonly 'deliveries'[])
        await transaction.deleteFrom(table).where('request_id', 'in', ids).execute();
      for (const id of ids) await trail.erase(transaction, id, system, at);
      await emptyRequest(transaction).where('id', 'in', ids).execute();
      return ids.length;
    }),

  forgetRest: async (before, at) => {
    const quotas = await db.deleteFrom('quotas').where('resets_at', '<=', at).executeTakeFirst();
    const events = await db.deleteFrom('gateway_events').where('created_at', '<', before).executeTakeFirst();
    const passkeys = await db.transaction().execute((transaction) => forgetPasskeys(transaction, before));
    return Number(quotas.numDeletedRows + events.numDeletedRows) + passkeys;
  },
});

/** Removes passkeys that were not used since, and the user handles of customers who have no other passkey. */
const forgetPasskeys = async (transaction: Transaction<Schema>, before: number) => {
  const unused = transaction.deleteFrom('passkeys').where((eb) => eb(eb.fn.coalesce('last_used_at', 'created_at'), '<', before));
  const gone = await unused.returning(['account_id', 'customer_ref']).execute();
  for (const { account_id, customer_ref } of gone) {
    const own = <Table extends 'passkey_users' | 'passkeys'>(table: Table, from: Kysely<Schema>) =>
      from
        .selectFrom(table as 'passkeys')
        .select('account_id')
        .where('account_id', '=', account_id)
        .where('customer_ref', '=', customer_ref);
    if (await own('passkeys', transaction).limit(1).executeTakeFirst()) continue;
    await transaction.deleteFrom('passkey_users').where('account_id', '=', account_id).where('customer_ref', '=', customer_ref).execute();
  }
  return gone.length;
};
