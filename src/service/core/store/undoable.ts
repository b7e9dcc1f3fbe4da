// Transactions whose steps are stored together or not at all.
import type { Kysely, Transaction } from 'kysely';
import type { Facts } from '../audit/actions.ts';
import type { Schema } from './schema.ts';

/** Part of a larger transaction. `false` refuses, and nothing is stored; facts go to the audit trail. */
export type Effect = (transaction: Transaction<Schema>) => Promise<Facts | boolean>;

/** Runs a transaction that is undone if it resolves to `false`. */
export const undoable = async (db: Kysely<Schema>, work: Effect): Promise<boolean> => {
  try {
    return await db.transaction().execute(async (transaction) => {
      if (await work(transaction)) return true;
      throw new Refused();
    });
  } catch (fault) {
    if (fault instanceof Refused) return false;
    throw fault;
  }
};

/** Kysely undoes a transaction only if something is thrown. */
class Refused extends Error {
  override readonly name = 'Refused';
}
