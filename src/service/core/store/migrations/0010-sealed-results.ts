// Seals existing results. They were JSON, which begins with a brace; sealed text never does.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Schema } from '../schema.ts';
import type { SealedColumns } from '../sealed-columns.ts';

/** Rows per statement. */
const batch = 500;

export const sealResults = ({ seal }: Pick<SealedColumns['results'], 'seal'>): Migration => ({
  up: async (db: Kysely<Schema>) => {
    for (;;) {
      const plain = await db.selectFrom('requests').select(['id', 'result']).where('result', 'like', '{%').limit(batch).execute();
      for (const { id, result } of plain)
        await db
          .updateTable('requests')
          .set({ result: seal(result ?? '', id) })
          .where('id', '=', id)
          .execute();
      if (plain.length < batch) return;
    }
  },
});
