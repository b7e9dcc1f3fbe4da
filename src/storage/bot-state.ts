// Bot Framework state as rows with real eTags: a write made from an outdated read is refused, never merged and never lost in silence.
import { createHash } from 'node:crypto';
import type { Kysely, RawBuilder } from 'kysely';
import type { Database } from '../platform/database.ts';
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

/** An activity as a channel delivers it, perhaps more than once. */
export interface Delivery {
  /** Names the activity among all that are delivered. */
  readonly name: string;
  /** The key of its conversation's state. */
  readonly stateKey: string;
}

export type StateChanges = Readonly<Record<string, { readonly value: object; readonly etag?: string | undefined }>>;

export interface Answered {
  readonly delivery: Delivery;
  /** JSON. */
  readonly answer: object;
}

export interface BotStateStore {
  read(keys: readonly string[]): Promise<Record<string, StateItem>>;
  /**
   * Writes all or nothing, and remembers what a delivery was answered with in the same step. `etag` undefined: the row must not exist yet; `*`: whatever is there is overwritten.
   * @throws {StateConflict} when a row is not as it was read.
   */
  write(items: StateChanges, answered?: Answered): Promise<void>;
  /** What a delivery was answered with; `undefined`: it was not, or so long ago that no channel delivers it again. */
  answerTo(delivery: Delivery): Promise<object | undefined>;
  delete(keys: readonly string[]): Promise<void>;
}

export const makeBotStateStore = ({ db, now }: Database<Schema>, newEtag: () => string): BotStateStore => ({
  read: async (keys) => {
    if (keys.length === 0) return {};
    const rows = await db.selectFrom('bot_state').selectAll().where('key', 'in', keys).execute();
    return Object.fromEntries(rows.map(({ key, value, etag }) => [key, { value: JSON.parse(value), etag }]));
  },

  write: (items, answered) =>
    db.transaction().execute(async (transaction) => {
      // In one order, whoever writes: two that write the same rows wait for each other rather than both for ever.
      for (const [key, { value, etag }] of Object.entries(items).sort(([one], [other]) => (one < other ? -1 : 1))) {
        const row = { key, value: JSON.stringify(value), etag: newEtag(), saved_at: now };
        const written = etag === undefined ? await create(transaction, row) : await replace(transaction, row, etag);
        if (!written) throw new StateConflict('the state changed since it was read');
      }
      if (!answered) return;
      const { delivery, answer } = answered;
      await transaction
        .insertInto('answer')
        .values({ delivery: nameOf(delivery), state_key: delivery.stateKey, answer: JSON.stringify(answer), created_at: now })
        .onConflict((conflict) => conflict.column('delivery').doNothing())
        .execute();
    }),

  answerTo: async (delivery) => {
    const row = await db.selectFrom('answer').select('answer').where('delivery', '=', nameOf(delivery)).executeTakeFirst();
    return row && JSON.parse(row.answer);
  },

  delete: async (keys) => {
    if (keys.length > 0) await db.deleteFrom('bot_state').where('key', 'in', keys).execute();
  },
});

/** Of one length, whatever ids a channel gives. */
const nameOf = ({ name }: Delivery) => createHash('sha256').update(name).digest('base64url');

interface Row {
  readonly key: string;
  readonly value: string;
  readonly etag: string;
  readonly saved_at: RawBuilder<number>;
}

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
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value, etag: row.etag, saved_at: row.saved_at }))
      .execute();
    return true;
  }
  const { numUpdatedRows } = await db
    .updateTable('bot_state')
    .set({ value: row.value, etag: row.etag, saved_at: row.saved_at })
    .where('key', '=', row.key)
    .where('etag', '=', expected)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};
