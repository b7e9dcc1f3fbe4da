// The sandbox gateway's storage: its checkouts and their outcomes.
import type { Storage } from '../../core/store/index.ts';
import type { SandboxCheckoutTable } from '../tables.ts';

/** The state of a sandbox checkout. `challenged`: the bank asks the customer to authenticate. */
export type SandboxState = 'challenged' | 'closed' | 'open' | 'paid';

export type SandboxStore = ReturnType<typeof makeSandboxStore>;

export const makeSandboxStore = ({ database: { db } }: Pick<Storage, 'database'>) => ({
  /** Adds a checkout, unless there is one with its key. Resolves to the stored one. */
  add: async (checkout: SandboxCheckoutTable): Promise<SandboxCheckoutTable> => {
    await db
      .insertInto('sandbox_checkouts')
      .values(checkout)
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    return db.selectFrom('sandbox_checkouts').selectAll().where('key', '=', checkout.key).executeTakeFirstOrThrow();
  },
  find: (id: string): Promise<SandboxCheckoutTable | undefined> =>
    db.selectFrom('sandbox_checkouts').selectAll().where('id', '=', id).executeTakeFirst(),
  /** Changes a checkout's state. `false`: it was in none of the states in `from`. */
  move: async (id: string, from: readonly SandboxState[], to: SandboxState, transactionId?: string): Promise<boolean> => {
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
