// Which process has the turn in a conversation: a row that its holder renews, and that any process may take once the
// lease has ended.
import { sql } from 'kysely';
import type { SharedDatabase } from '../../platform/database/database.ts';
import type { Schema } from '../schema.ts';

export type TurnLeases = ReturnType<typeof makeTurnLeases>;

export const makeTurnLeases = ({ db, now }: SharedDatabase<Schema>) => {
  const until = (ms: number) => sql<number>`${now} + ${ms}`;
  return {
    /** Takes the turn for that many milliseconds. `false`: another process has it. */
    take: async (key: string, holder: string, ms: number): Promise<boolean> => {
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

    /**
     * Extends turns to that many milliseconds from now, and returns those that their holders still had. One that ran out
     * still counts until another process takes it.
     */
    renew: async (holders: readonly string[], ms: number): Promise<ReadonlySet<string>> => {
      const rows = await db
        .updateTable('turn_lease')
        .set({ lease_until: until(ms) })
        .where('holder', 'in', holders)
        .returning('holder')
        .execute();
      return new Set(rows.map(({ holder }) => holder));
    },

    /** Returns the turn, if the holder still has it. */
    release: async (key: string, holder: string): Promise<void> => {
      await db.deleteFrom('turn_lease').where('key', '=', key).where('holder', '=', holder).execute();
    },
  };
};
