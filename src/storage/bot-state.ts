// Bot Framework state as rows with real eTags: a write made from an outdated read is refused, never merged and never lost in silence.
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** A stored value with the eTag it was read under. */
export interface StateItem {
  readonly value: object;
  readonly etag: string;
}

/** The row changed since it was read. */
export class StateConflict extends Error {
  override readonly name = 'StateConflict';
  readonly code = 'state_conflict';
}

export interface BotStateStore {
  read(keys: readonly string[]): Promise<Record<string, StateItem>>;
  /**
   * Writes all or nothing. `etag` undefined: the row must not exist yet; `*`: whatever is there is overwritten.
   * @throws {StateConflict} when a row is not as it was read.
   */
  write(items: Readonly<Record<string, { readonly value: object; readonly etag?: string | undefined }>>): Promise<void>;
  delete(keys: readonly string[]): Promise<void>;
}

export const makeBotStateStore = (db: Kysely<Schema>, newEtag: () => string): BotStateStore => ({
  read: async (keys) => {
    if (keys.length === 0) return {};
    const rows = await db.selectFrom('bot_state').selectAll().where('key', 'in', keys).execute();
    return Object.fromEntries(rows.map(({ key, value, etag }) => [key, { value: JSON.parse(value), etag }]));
  },

  write: (items) =>
    db.transaction().execute(async (transaction) => {
      for (const [key, { value, etag }] of Object.entries(items)) {
        const row = { key, value: JSON.stringify(value), etag: newEtag() };
        const written = etag === undefined ? await create(transaction, row) : await replace(transaction, row, etag);
        if (!written) throw new StateConflict('the state changed since it was read');
      }
    }),

  delete: async (keys) => {
    if (keys.length > 0) await db.deleteFrom('bot_state').where('key', 'in', keys).execute();
  },
});

type Row = Schema['bot_state'];

const create = async (db: Kysely<Schema>, row: Row) => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('bot_state')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

const replace = async (db: Kysely<Schema>, row: Row, expected: string) => {
  if (expected === '*') {
    await db
      .insertInto('bot_state')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value, etag: row.etag }))
      .execute();
    return true;
  }
  const { numUpdatedRows } = await db
    .updateTable('bot_state')
    .set({ value: row.value, etag: row.etag })
    .where('key', '=', row.key)
    .where('etag', '=', expected)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};
