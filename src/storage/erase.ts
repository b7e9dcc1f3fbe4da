// Erases one customer: everything in the bot's database about them, in one step.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { Schema } from './schema.ts';

const tables = ['interaction', 'bot_state', 'answer', 'chat', 'chat_activity', 'chat_file', 'handoff', 'handoff_letter'] as const;

/** A customer's data, as numbers of rows by table. */
export interface Holdings {
  readonly rows: Readonly<Record<(typeof tables)[number], number>>;
  /** Interactions whose outcome has yet to be delivered to the chat. */
  readonly undelivered: number;
}

export type Erasure = ReturnType<typeof makeErasure>;

/** A chat's own id: the last part of its state's key. */
const chatIn = (stateKey: string): string => {
  const parts: unknown = JSON.parse(stateKey);
  return String(Array.isArray(parts) ? parts.at(-1) : '');
};

export const makeErasure = (database: Database<Schema>) => {
  const { db, kind } = database;
  /** Not LIKE: a reference may contain its wildcards. */
  const remembers = (customerRef: string) => {
    const name = JSON.stringify(customerRef);
    return kind === 'postgres' ? sql<boolean>`strpos(value, ${name}) > 0` : sql<boolean>`instr(value, ${name}) > 0`;
  };

  const find = async (from: Kysely<Schema>, customerRef: string) => {
    const interactions = await from
      .selectFrom('interaction')
      .select(['conversation', 'told'])
      .where('customer_ref', '=', customerRef)
      .execute();
    const states = await from.selectFrom('bot_state').select('key').where(remembers(customerRef)).execute();
    const keys = [...new Set([...states.map(({ key }) => key), ...interactions.map(({ conversation }) => conversation)])];
    const chats = [...new Set(keys.map(chatIn))];
    const numbered = await sql<{ number: number }>`select number from chat where id in ${listOf(chats)}`.execute(from);
    const kept = await sql<{ id: string }>`select id from handoff where conversation in ${listOf(keys)}`.execute(from);
    const handoffs = kept.rows.map(({ id }) => id);
    return {
      undelivered: interactions.filter(({ told }) => told === 0).length,
      named: {
        interaction: ['customer_ref', [customerRef]],
        bot_state: ['key', keys],
        answer: ['state_key', keys],
        chat: ['id', chats],
        chat_activity: ['chat_number', numbered.rows.map(({ number }) => number)],
        chat_file: ['chat_id', chats],
        handoff: ['id', handoffs],
        handoff_letter: ['handoff_id', handoffs],
      } satisfies Record<(typeof tables)[number], [column: string, values: (number | string)[]]>,
    };
  };

  const holdings = async (from: Kysely<Schema>, { named, undelivered }: Awaited<ReturnType<typeof find>>): Promise<Holdings> => {
    const rows = {} as Record<(typeof tables)[number], number>;
    for (const table of tables) {
      const [column, values] = named[table];
      const found = await sql<{
        count: number;
      }>`select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} in ${listOf(values)}`.execute(from);
      rows[table] = found.rows[0]?.count ?? 0;
    }
    return { rows, undelivered };
  };

  return {
    /** Counts what `erase` would remove. */
    count: async (customerRef: string): Promise<Holdings> => holdings(db, await find(db, customerRef)),
    /**
     * Removes the customer's interactions, the chats in which they took place, and the chats in which the bot still
     * remembers the customer, with everything said, uploaded and remembered in them. Returns what was removed. Repeating
     * it removes nothing.
     */
    erase: async (customerRef: string): Promise<Holdings> => {
      const erased = await db.transaction().execute(async (transaction) => {
        const found = await find(transaction, customerRef);
        const counted = await holdings(transaction, found);
        // The chats' activities and files first, so that the count matches the removal.
        for (const table of tables.toReversed()) {
          const [column, values] = found.named[table];
          await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in ${listOf(values)}`.execute(transaction);
        }
        return counted;
      });
      // Deleted rows stay readable in the file until they are overwritten. Postgres leaves this to vacuum.
      if (database.kind === 'sqlite') await database.scrub();
      return erased;
    },
  };
};

/** A list in a statement. SQL does not accept an empty one; nothing is equal to null. */
const listOf = (values: readonly (number | string)[]) => (values.length === 0 ? sql`(null)` : sql`(${sql.join(values)})`);
