// When to read a hub for what its agents have done, as columns of the handoffs.
import { sql } from 'kysely';
import { claimRows, laterBy } from '../../platform/database/claim-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Settlement } from '../../platform/retry-queue.ts';
import type { ClaimedHandoff } from './handoff-rows.ts';
import { asRecord } from './handoff-rows.ts';
import type { HandoffSchema } from './tables.ts';

/** The places of handoffs at their hubs, and the schedule of reading them. */
export const hubPolls = (database: Database<HandoffSchema>) => {
  const { db, now } = database;
  const later = laterBy(now);
  return {
    /** Stores a handoff's name at the hub, which is read in that many milliseconds at the latest. */
    placed: async (id: string, place: string, ms: number) => {
      await db
        .updateTable('handoff')
        // Earlier, never later: frequent writers must not be able to postpone it.
        .set({ place, look_at: sql<number>`case when look_at <= ${later(ms)} then look_at else ${later(ms)} end`, quiet: 0 })
        .where('id', '=', id)
        .execute();
    },

    /** The handoff of this name at a hub; of several, the newest. */
    at: async (hub: string, place: string) => {
      // A hub may use a place again for a later handoff of the chat.
      const here = db.selectFrom('handoff').selectAll().where('hub', '=', hub).where('place', '=', place);
      const row = await here.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row && asRecord(row);
    },

    /** Makes a read due now, since something may have happened, even after the handoff's end. `false`: there is none. */
    hint: async (hub: string, place: string) => {
      const { numUpdatedRows } = await db
        .updateTable('handoff')
        .set({ look_at: now, quiet: 0 })
        .where('hub', '=', hub)
        .where('place', '=', place)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Claims due reads for that many milliseconds. `attempts`: how many in a row found nothing. */
    claimPolls: async (hub: string, ms: number, limit: number): Promise<ClaimedHandoff[]> => {
      const due = db.selectFrom('handoff').select('id').where('hub', '=', hub).where('look_at', '<=', now).orderBy('look_at').limit(limit);
      const rows = await claimRows(database, 'handoff', 'id', due, { look_at: later(ms) });
      return rows.map((row) => ({ handoff: asRecord(row), claim: row.look_at as number, attempts: row.quiet ?? 0 }));
    },

    nextPoll: async (hub: string) => {
      const next = db.selectFrom('handoff').select('look_at').where('hub', '=', hub).where('look_at', 'is not', null);
      return (await next.orderBy('look_at').limit(1).executeTakeFirst())?.look_at ?? undefined;
    },

    /** Records up to which number the agents' entries have been carried out; never lowers it. */
    seen: async (id: string, upTo: number) => {
      await db
        .updateTable('handoff')
        .set({ seen: upTo })
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('seen', 'is', null), eb('seen', '<', upTo)]))
        .execute();
    },

    /** Sets the next read; without one, it is at the next hint. Does nothing if a hint came meanwhile. */
    settlePoll: async ({ handoff, claim }: ClaimedHandoff, fate: Settlement) => {
      await db
        .updateTable('handoff')
        .set('again' in fate ? { look_at: later(fate.again), quiet: fate.attempts } : { look_at: null })
        .where('id', '=', handoff.id)
        .where('look_at', '=', claim)
        .execute();
    },
  };
};
