// Bot Framework state as rows with real eTags: a write based on an outdated read is refused, never merged and never
// silently lost.
import { hash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { prepareStatement } from '../../platform/database/prepared-statement.ts';
import { newUlid } from '../../platform/secrets/new-id.ts';
import type { OwnedTables } from '../owned-tables.ts';
import type { Schema } from '../schema.ts';
import type { RunningTurns, TurnDelivery } from './running-turns.ts';

/** A stored value with the eTag of the read. */
export interface StateItem {
  /** An object as text, so that a caller can compare texts to see whether it changed. */
  readonly json: string;
  readonly etag: string;
}

/** The row changed since it was read. */
export class StateConflict extends Error {
  override readonly name = 'StateConflict';
  readonly code = 'state_conflict';
}

/** An activity as a channel delivers it, perhaps more than once. */
export interface Delivery extends TurnDelivery {
  /** Identifies the activity among all deliveries. */
  readonly name: string;
}

export type StateChanges = Readonly<
  Record<
    string,
    {
      readonly json: string;
      readonly etag?: string | undefined;
      /** What is listed of the conversation while it runs. Unset: it is not listed. */
      readonly running?: object | undefined;
    }
  >
>;

/** A listed conversation. */
export interface RunningState {
  readonly key: string;
  readonly running: object;
  /** In epoch milliseconds, by the database's clock. */
  readonly savedAt: number;
}

export type BotStateStore = ReturnType<typeof makeBotStateStore>;

export const makeBotStateStore = ({ db, now }: Database<Schema>, turns: RunningTurns, addressed: NonNullable<OwnedTables['addressed']>) => {
  const { answerOf, create, keepAnswer, overwrite, replace, select } = statements(db, now);

  const writeState = async (transaction: Kysely<Schema>, items: StateChanges) => {
    // Always in one order, so that two writers of the same rows wait for each other instead of deadlocking.
    for (const [key, { json, etag: expected, running }] of Object.entries(items).sort(([one], [other]) => (one < other ? -1 : 1))) {
      const row = { key, value: json, etag: newUlid(), running: running ? JSON.stringify(running) : null };
      const { numAffectedRows } = await (expected === undefined
        ? create(transaction, row)
        : expected === '*'
          ? overwrite(transaction, row)
          : replace(transaction, { ...row, expected }));
      if (numAffectedRows !== 1n) throw new StateConflict('the state changed since it was read');
    }
  };

  return {
    read: async (keys: readonly string[]): Promise<Record<string, StateItem>> => {
      const found = await Promise.all(keys.map((key) => select(db, { key })));
      return Object.fromEntries(found.flatMap(({ rows }) => rows.map(({ key, value: json, etag }) => [key, { json, etag }])));
    },

    /**
     * What is still to be said in the conversation of this key goes to that service URL from now on: a channel may move a
     * conversation, and messages then go where its last activity came from.
     */
    move: async (key: string, serviceUrl: string): Promise<void> => {
      const to = db.withTables<Addresses>();
      for (const { table, only } of addressed) {
        const rows = to
          .selectFrom(table)
          .select(['id', 'address'])
          .where('conversation', '=', key)
          .where(sql<boolean>`(${sql.raw(only)})`);
        for (const { id, address } of await rows.execute())
          await to
            .updateTable(table)
            .set({ address: JSON.stringify({ ...JSON.parse(address), serviceUrl }) })
            .where('id', '=', id)
            // A delivery clears it.
            .where('address', '=', address)
            .execute();
      }
    },

    /**
     * Writes all or nothing, and stores the answer to a delivery, JSON, in the same step. In a turn whose writes are gathered
     * (`ChatStore.gather`), they are written too, and the delivery is settled instead of answered. `etag` undefined: the
     * row must not exist yet; `*`: an existing row is overwritten.
     * @throws {StateConflict} when a row has changed since it was read.
     */
    write: (items: StateChanges, answered?: { readonly delivery: Delivery; readonly answer: object }): Promise<void> => {
      const turn = answered && turns.of(answered.delivery);
      if (turn) return turn.settle((transaction) => writeState(transaction, items));
      return db.transaction().execute(async (transaction) => {
        await writeState(transaction, items);
        if (!answered) return;
        const { delivery, answer } = answered;
        await keepAnswer(transaction, { name: nameOf(delivery), stateKey: delivery.stateKey, answer: JSON.stringify(answer) });
      });
    },

    /**
     * The answer to a delivery; `undefined`: there is none, or it is too old for any channel to deliver again. Every turn
     * begins with this call; from then on its writes are gathered.
     */
    answerTo: async (delivery: Delivery): Promise<object | undefined> => {
      const begun = await turns.begin(delivery);
      // An activity that was stored just now cannot have been answered.
      if (begun === 'new') return undefined;
      if (begun === 'settled') return {};
      const { rows } = await answerOf(db, { name: nameOf(delivery) });
      return rows[0] && JSON.parse(rows[0].answer);
    },

    /** Whether the writes of the delivery's turn are gathered, so that none persists before `write`. */
    gathers: (delivery: Delivery): boolean => turns.of(delivery) !== undefined,
    /** Ends the delivery's turn: its remaining writes are written, and no more are gathered. */
    endTurn: turns.end,

    delete: async (keys: readonly string[]): Promise<void> => {
      if (keys.length > 0) await db.deleteFrom('bot_state').where('key', 'in', keys).execute();
    },

    /** The listed conversations that were written within that many milliseconds, newest first. */
    running: async (withinMs: number, limit: number): Promise<RunningState[]> => {
      const listed = db.selectFrom('bot_state').select(['key', 'running', 'saved_at']).where('running', 'is not', null);
      const lately = listed.where('saved_at', '>', sql<number>`${now} - cast(${withinMs} as bigint)`);
      const rows = await lately.orderBy('saved_at', 'desc').limit(limit).execute();
      return rows.map(({ key, running, saved_at }) => ({ key, running: JSON.parse(running as string), savedAt: saved_at }));
    },
  };
};

/** Tables with addresses, by the names that their owners give. */
type Addresses = Record<string, { id: string; address: string; conversation: string }>;

/** Of a fixed length, whatever ids a channel gives. */
const nameOf = ({ name }: Delivery) => hash('sha256', name, 'base64url');

type Row = { readonly key: string; readonly value: string; readonly etag: string; readonly running: string | null };

const columns = ['key', 'value', 'etag'] as const;

/** The statements that every turn runs. */
const statements = (db: Kysely<Schema>, now: RawBuilder<number>) => ({
  select: prepareStatement(db, (from, { key }: Pick<Row, 'key'>) => from.selectFrom('bot_state').select(columns).where('key', '=', key)),

  create: prepareStatement(db, (to, { key, value, etag, running }: Row) =>
    to
      .insertInto('bot_state')
      .values({ key, value, etag, running, saved_at: now })
      .onConflict((conflict) => conflict.column('key').doNothing()),
  ),

  overwrite: prepareStatement(db, (to, { key, value, etag, running }: Row) =>
    to
      .insertInto('bot_state')
      .values({ key, value, etag, running, saved_at: now })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, etag, running, saved_at: now })),
  ),

  replace: prepareStatement(db, (to, { key, value, etag, running, expected }: Row & { readonly expected: string }) =>
    to.updateTable('bot_state').set({ value, etag, running, saved_at: now }).where('key', '=', key).where('etag', '=', expected),
  ),

  answerOf: prepareStatement(db, (from, { name }: { readonly name: string }) =>
    from.selectFrom('answer').select('answer').where('delivery', '=', name),
  ),

  keepAnswer: prepareStatement(
    db,
    (to, { name, stateKey, answer }: { readonly name: string; readonly stateKey: string; readonly answer: string }) =>
      to
        .insertInto('answer')
        .values({ delivery: name, state_key: stateKey, answer, created_at: now })
        .onConflict((conflict) => conflict.column('delivery').doNothing()),
  ),
});
