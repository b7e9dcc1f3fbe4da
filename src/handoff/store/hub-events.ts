// The events of handoffs that are due at their hubs.
import { claimRows, laterBy } from '../../platform/database/claim-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Settlement } from '../../platform/retry-queue.ts';
import type { PendingHubEvent } from '../record.ts';
import { asPending } from './handoff-rows.ts';
import type { HandoffSchema } from './tables.ts';

/** Claims, schedule and settlement of their deliveries. */
export const hubEvents = (database: Database<HandoffSchema>) => {
  const { db, now } = database;
  const later = laterBy(now);
  return {
    /**
     * Claims due events: no other process gets them for that many milliseconds. None comes before the earlier events of
     * its handoff are settled.
     */
    claimEvents: async (hub: string, ms: number, limit: number): Promise<PendingHubEvent[]> => {
      const due = db
        .selectFrom('handoff_letter')
        .where('hub', '=', hub)
        .where('due_at', '<=', now)
        // Each handoff's events are delivered one after the other, in the order of events.
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('handoff_letter as earlier')
                .select('earlier.id')
                .whereRef('earlier.handoff_id', '=', 'handoff_letter.handoff_id')
                .whereRef('earlier.number', '<', 'handoff_letter.number')
                .where('earlier.due_at', 'is not', null),
            ),
          ),
        )
        .select('handoff_letter.id')
        .orderBy('handoff_letter.due_at')
        .limit(limit);
      const rows = await claimRows(database, 'handoff_letter', 'id', due, { due_at: later(ms) });
      return rows.map(asPending);
    },

    nextEvent: async (hub: string) => {
      const next = db.selectFrom('handoff_letter').select('due_at').where('hub', '=', hub).where('due_at', 'is not', null);
      return (await next.orderBy('due_at').limit(1).executeTakeFirst())?.due_at ?? undefined;
    },

    /** Records the result of a delivery. Does nothing if the claim has ended. */
    settleEvent: async ({ id, attempts, claim: due_at }: PendingHubEvent, fate: Settlement) => {
      const settled =
        'again' in fate
          ? { attempts: fate.attempts, due_at: later(fate.again) }
          : { due_at: null, given_up: 'givenUp' in fate ? fate.givenUp : null };
      await db
        .updateTable('handoff_letter')
        .set(settled)
        .where(({ and }) => and({ id, attempts, due_at }))
        .execute();
    },
  };
};
