// When to read a hub for what its agents have done, as columns of the handoffs.
import { sql } from 'kysely';
import { claimRows, laterBy } from '../../platform/database/claim-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import { asRecord } from './handoff-rows.ts';
import type { PollStore } from './handoff-store.ts';
import type { HandoffSchema } from './tables.ts';

export const makePollStore = (database: Database<HandoffSchema>): PollStore => {
  const { db, now } = database;
  const later = laterBy(now);
  return {
    placed: async (id, place, ms) => {
      await db
        .updateTable('handoff')
        // Earlier, never later: frequent writers must not be able to postpone it.
        .set({ place, look_at: sql<number>`case when look_at <= ${later(ms)} then look_at else ${later(ms)} end`, quiet: 0 })
        .where('id', '=', id)
        .execute();
    },

    at: async (hub, place) => {
      // A hub may use a place again for a later handoff of the chat.
      const here = db.selectFrom('handoff').selectAll().where('hub', '=', hub).where('place', '=', place);
      const row = await here.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row && asRecord(row);
    },

    hint: async (hub, place) => {
      const { numUpdatedRows } = await db
        .updateTable('handoff')
        .set({ look_at: now, quiet: 0 })
        .where('hub', '=', hub)
        .where('place', '=', place)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    claimPolls: async (hub, ms, limit) => {
      const due = db.selectFrom('handoff').select('id').where('hub', '=', hub).where('look_at', '<=', now).orderBy('look_at').limit(limit);
      const rows = await claimRows(database, 'handoff', 'id', due, { look_at: later(ms) });
      return rows.map((row) => ({ handoff: asRecord(row), claim: row.look_at as number, attempts: row.quiet ?? 0 }));
    },

    nextPoll: async (hub) => {
      const next = db.selectFrom('handoff').select('look_at').where('hub', '=', hub).where('look_at', 'is not', null);
      return (await next.orderBy('look_at').limit(1).executeTakeFirst())?.look_at ?? undefined;
    },

    seen: async (id, upTo) => {
      await db
        .updateTable('handoff')
        .set({ seen: upTo })
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('seen', 'is', null), eb('seen', '<', upTo)]))
        .execute();
    },

    settlePoll: async ({ handoff, claim }, fate) => {
      await db
        .updateTable('handoff')
        .set('again' in fate ? { look_at: later(fate.again), quiet: fate.attempts } : { look_at: null })
        .where('id', '=', handoff.id)
        .where('look_at', '=', claim)
        .execute();
    },
  };
};
