// The sandbox gateway's own memory: its checkouts and what became of them.
import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import type { SandboxCheckoutTable } from './tables/payments.ts';

/** Where a sandbox checkout stands. `challenged`: the bank wants to know whether it is the customer. */
export type SandboxState = 'challenged' | 'closed' | 'open' | 'paid';

export interface SandboxStore {
  /** Adds a checkout, unless one was made under its key. Resolves to the one there is. */
  add(checkout: SandboxCheckoutTable): Promise<SandboxCheckoutTable>;
  find(id: string): Promise<SandboxCheckoutTable | undefined>;
  /** Moves a checkout on. `false`: it was in none of the states that this may follow. */
  move(id: string, from: readonly SandboxState[], to: SandboxState, transactionId?: string): Promise<boolean>;
}

export const makeSandboxStore = (db: Kysely<Schema>): SandboxStore => ({
  add: async (checkout) => {
    await db
      .insertInto('sandbox_checkouts')
      .values(checkout)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    return db.selectFrom('sandbox_checkouts').selectAll().where('key', '=', checkout.key).executeTakeFirstOrThrow();
  },
  find: (id) => db.selectFrom('sandbox_checkouts').selectAll().where('id', '=', id).executeTakeFirst(),
  move: async (id, from, to, transactionId) => {
    const row = await db
      .updateTable('sandbox_checkouts')
      .set({ state: to, ...(transactionId !== undefined && { transaction_id: transactionId }) })
      .where('id', '=', id)
      .where('state', 'in', from)
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  },
});
