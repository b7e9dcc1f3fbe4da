// Erases one customer: everything in the bot's database about them, in one step.
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import { type CustomerRows, contains, countRows, erase, listOf, removeRows } from '../platform/database/erasure.ts';
import type { OwnedTables } from './owned-tables.ts';
import type { Schema } from './schema.ts';

/** A chat's own id: the last part of its state's key. */
const chatIn = (stateKey: string): string => {
  const parts: unknown = JSON.parse(stateKey);
  return String(Array.isArray(parts) ? parts.at(-1) : '');
};

export const makeErasure = (database: Database<Schema>, owners: readonly OwnedTables[]) => {
  const find = async (from: Kysely<Schema>, customerRef: string) => {
    const interactions = await from
      .selectFrom('interaction')
      .select(['conversation', 'told'])
      .where('customer_ref', '=', customerRef)
      .execute();
    const remembers = contains(database.kind, sql.ref('value'), JSON.stringify(customerRef));
    const states = await from.selectFrom('bot_state').select('key').where(remembers).execute();
    const chats = [...new Set([...states.map(({ key }) => key), ...interactions.map(({ conversation }) => conversation)])];
    const [keys, ids] = [listOf(chats), listOf([...new Set(chats.map(chatIn))])];
    const found: readonly CustomerRows[] = [
      { table: 'interaction', where: sql`customer_ref = ${customerRef}` },
      { table: 'bot_state', where: sql`key in ${keys}` },
      { table: 'answer', where: sql`state_key in ${keys}` },
      { table: 'chat', where: sql`id in ${ids}` },
      { table: 'chat_activity', where: sql`chat_number in (select number from chat where id in ${ids})` },
      { table: 'chat_file', where: sql`chat_id in ${ids}` },
      ...owners.flatMap(({ erasure }) => erasure?.(keys) ?? []),
    ];
    return { found, counted: { rows: await countRows(from, found), undelivered: interactions.filter(({ told }) => told === 0).length } };
  };

  return {
    /**
     * Counts what `erase` would remove, by table, and the interactions among it whose outcome has yet to be delivered to
     * the chat.
     */
    count: async (customerRef: string) => (await find(database.db, customerRef)).counted,
    /**
     * Removes the customer's interactions, the chats in which they took place, and the chats in which the bot still
     * remembers the customer, with everything said, uploaded and remembered in them. Returns what was removed. Repeating
     * it removes nothing.
     */
    erase: (customerRef: string) =>
      erase(database, async (transaction) => {
        const { counted, found } = await find(transaction, customerRef);
        await removeRows(transaction, found);
        return counted;
      }),
  };
};
