// Retention: removes from all tables who the customers were and what was in requests; that something was done, and the
// digests that prove it, remain (docs/decisions/0072).
import { sql } from 'kysely';
import { skippingLocked } from '../../../platform/database/claim-rows.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RetentionRule, RetentionStep } from '../../../platform/database/retention.ts';
import { system } from '../audit/origin.ts';
import type { Trail } from '../audit/trail.ts';
import { emptyRequest, isUnfinished, type OwnRows, requestTables } from './erasure.ts';
import type { Schema } from './schema.ts';

/** Requests that are emptied at once: each has an audit trail of its own. */
const batch = 50;

/** What is removed at an instant, `after` milliseconds past the end of a request, or past the last use of other rows. */
export const makeRetention = (database: Database<Schema>, trail: Pick<Trail, 'erase'>, parts: readonly OwnRows[]) => {
  const { db, kind } = database;
  /** Empties requests that ended before an instant, and resolves to their number. */
  const emptyRequests = (before: number, at: number): Promise<number> =>
    db.transaction().execute(async (transaction) => {
      const past = transaction
        .selectFrom('requests')
        .select('id')
        .where('finished_at', '<', before)
        // The condition of the index: emptied requests are not found again.
        .where(sql<boolean>`finished_at is not null and session_ref <> ''`)
        .where((eb) => eb.not(isUnfinished(parts, eb)))
        .orderBy('finished_at')
        .limit(batch);
      const rows = await skippingLocked<Schema, 'requests', { id: string }>(kind, 'requests', past).execute();
      const ids = rows.map(({ id }) => id);
      if (ids.length === 0) return 0;
      for (const table of [...requestTables(parts), 'events', 'notes'] as 'deliveries'[])
        await transaction.deleteFrom(table).where('request_id', 'in', ids).execute();
      for (const id of ids) await trail.erase(transaction, id, system, at);
      await emptyRequest(transaction).where('id', 'in', ids).execute();
      return ids.length;
    });
  return (at: number, after: number): readonly (RetentionRule | RetentionStep)[] => [
    { table: 'requests', batch, remove: () => emptyRequests(at - after, at) },
    { table: 'quotas', age: 'resets_at', after: 0 },
    ...parts.flatMap(({ retention }) => retention?.(database, at, after) ?? []),
  ];
};
