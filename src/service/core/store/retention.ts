// Retention: removes from all tables who the customers were and what was in requests; that something was done, and the
// digests that prove it, remain (docs/decisions/0072).
import { sql } from 'kysely';
import { skippingLocked } from '../../../platform/database/claim-rows.ts';
import type { Database } from '../../../platform/database/database.ts';
import { system } from '../audit/origin.ts';
import type { Trail } from '../audit/trail.ts';
import { emptyRequest, isUnfinished, type OwnRows, requestTables } from './erasure.ts';
import type { Schema } from './schema.ts';

export const makeRetention = ({ db, kind }: Database<Schema>, trail: Pick<Trail, 'erase'>, parts: readonly OwnRows[]) => ({
  /**
   * Empties requests that ended before an instant, up to a limit, and related rows. Resolves to the number of requests.
   */
  forgetRequests: (before: number, limit: number, at: number): Promise<number> =>
    db.transaction().execute(async (transaction) => {
      const past = transaction
        .selectFrom('requests')
        .select('id')
        .where('finished_at', '<', before)
        // The condition of the index: emptied requests are not found again.
        .where(sql<boolean>`finished_at is not null and session_ref <> ''`)
        .where((eb) => eb.not(isUnfinished(parts, eb)))
        .orderBy('finished_at')
        .limit(limit);
      const rows = await skippingLocked<Schema, 'requests', { id: string }>(kind, 'requests', past).execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      for (const table of [...requestTables(parts), 'events', 'notes'] as 'deliveries'[])
        await transaction.deleteFrom(table).where('request_id', 'in', ids).execute();
      for (const id of ids) await trail.erase(transaction, id, system, at);
      await emptyRequest(transaction).where('id', 'in', ids).execute();
      return ids.length;
    }),

  /**
   * Removes rows that no request refers to and that were not used since: expired quotas, and those of the parts.
   * Resolves to their number.
   */
  forgetRest: async (before: number, at: number): Promise<number> => {
    const quotas = await db.deleteFrom('quotas').where('resets_at', '<=', at).executeTakeFirst();
    let gone = Number(quotas.numDeletedRows);
    for (const { forget } of parts) gone += (await forget?.(db, before)) ?? 0;
    return gone;
  },
});
