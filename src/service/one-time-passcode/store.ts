// Takes a passcode's checks one by one, even with concurrent attempts on several replicas.
import type { By } from '../core/audit/actions.ts';
import { headColumns } from '../core/audit/trail.ts';
import { takeGuess } from '../core/limits/guesses.ts';
import { type StoredQuota, sessionColumns } from '../core/limits/stored-quotas.ts';
import type { Storage } from '../core/store/index.ts';

/**
 * Takes one of a passcode's checks, and a point of each of `guesses`. `undefined`: no check is left, or the passcode
 * has expired. The points are taken before the code is compared; `forgive` returns them if it was right.
 */
export const takeCheck = (
  { database: { db }, trail }: Pick<Storage, 'database' | 'trail'>,
  { id, at, limit, guesses, by }: { id: string; at: number; limit: number; guesses: readonly StoredQuota[]; by: By },
) =>
  db.transaction().execute(async (transaction) => {
    const row = await transaction
      .updateTable('requests')
      .set((eb) => ({ checks: eb('checks', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .where('expires_at', '>', at)
      .where('checks', '<', limit)
      .where('code_hash', 'is not', null)
      .returning(['code_hash', 'checks', ...headColumns, ...sessionColumns])
      .executeTakeFirst();
    if (!row) return undefined;
    await trail.append(transaction, id, row, [{ by, action: 'passcode.checked', facts: { check: row.checks } }], at);
    return takeGuess(transaction, row, guesses, row, at);
  });
