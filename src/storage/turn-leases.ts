// Who has the turn in a conversation, among several processes: a row that its holder renews, and that anybody may take once it was not.
import { sql } from 'kysely';
import type { SharedDatabase } from '../platform/database.ts';
import type { Schema } from './schema.ts';

export interface TurnLeases {
  /** Takes the turn for so many milliseconds. `false`: another has it. */
  take(key: string, holder: string, ms: number): Promise<boolean>;
  /** Lengthens turns to so many milliseconds from now, and tells which were still their holders'; one that ran out is, until another takes it. */
  renew(holders: readonly string[], ms: number): Promise<ReadonlySet<string>>;
  /** Gives the turn back, if it is still the holder's. */
  release(key: string, holder: string): Promise<void>;
}

export const makeTurnLeases = ({ db, now }: SharedDatabase<Schema>): TurnLeases => {
  const until = (ms: number) => sql<number>`${now} + ${ms}`;
  return {
    take: async (key, holder, ms) => {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('turn_lease')
        .values({ key, holder, lease_until: until(ms) })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ holder, lease_until: until(ms) })
            .where('turn_lease.lease_until', '<', now),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    renew: async (holders, ms) => {
      const rows = await db
        .updateTable('turn_lease')
        .set({ lease_until: until(ms) })
        .where('holder', 'in', holders)
        .returning('holder')
        .execute();
      return new Set(rows.map(({ holder }) => holder));
    },

    release: async (key, holder) => {
      await db.deleteFrom('turn_lease').where('key', '=', key).where('holder', '=', holder).execute();
    },
  };
};
