// Taking a passcode's checks, one by one, however many ask at once and on however many replicas.
import type { Kysely, Transaction } from 'kysely';
import type { By } from '../audit/chain.ts';
import { giveBack, rowKey, type StoredQuota, takePoint } from './quotas.ts';
import type { Schema } from './schema.ts';
import { headColumns, type Trail } from './trail.ts';

/** One check that was taken. */
export interface TakenCheck {
  readonly codeHash: string;
  /** How many of this code's checks are taken now. */
  readonly checks: number;
  /** Whether the code may be compared: a phone with too many failures has checks that count and compare nothing. */
  readonly comparable: boolean;
}

export interface Passcodes {
  /**
   * Takes one of a passcode's checks, and a point of each of `guesses`. `undefined`: no check is left, or the time is up.
   * The points are taken before anybody knows whether the code is right; {@link forgive} gives them back when it was.
   */
  takeCheck(id: string, at: number, limit: number, guesses: readonly StoredQuota[], by: By): Promise<TakenCheck | undefined>;
  forgive(guesses: readonly StoredQuota[]): Promise<void>;
  /** Milliseconds until a code of this phone can be compared again; `undefined` while it can be. */
  blockedFor(guesses: readonly StoredQuota[], at: number): Promise<number | undefined>;
}

/** Takes a point of each, as far as there are any. Whether there were. */
export const takeGuess = async (transaction: Transaction<Schema>, guesses: readonly StoredQuota[], at: number): Promise<boolean> => {
  for (const guess of guesses) if ((await takePoint(transaction, guess, at)) !== undefined) return false;
  return true;
};

export const makePasscodes = (db: Kysely<Schema>, trail: Trail): Passcodes => ({
  takeCheck: (id, at, limit, guesses, by) =>
    db.transaction().execute(async (transaction) => {
      const row = await transaction
        .updateTable('requests')
        .set((eb) => ({ checks: eb('checks', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .where('expires_at', '>', at)
        .where('checks', '<', limit)
        .where('code_hash', 'is not', null)
        .returning(['code_hash', 'checks', ...headColumns])
        .executeTakeFirst();
      if (!row) return undefined;
      await trail.append(transaction, id, row, [{ by, action: 'passcode.checked', facts: { check: row.checks } }], at);
      return { codeHash: row.code_hash ?? '', checks: row.checks, comparable: await takeGuess(transaction, guesses, at) };
    }),
  forgive: (guesses) => db.transaction().execute((transaction) => giveBack(transaction, guesses)),
  blockedFor: async (guesses, at) => {
    const rows = await db.selectFrom('quotas').selectAll().where('key', 'in', guesses.map(rowKey)).where('resets_at', '>', at).execute();
    const waits = guesses.flatMap((guess) =>
      rows.filter(({ key, taken }) => key === rowKey(guess) && taken >= guess.points).map(({ resets_at }) => resets_at - at),
    );
    return waits.length > 0 ? Math.max(...waits) : undefined;
  },
});
