// Checks of a code, taken one by one before it is compared, even with concurrent attempts on several replicas.
import type { Transaction } from 'kysely';
import type { By } from '../audit/actions.ts';
import type { Storage } from '../store/index.ts';
import type { RequestTable, Schema } from '../store/schema.ts';
import { inOrder, makeQuotas, type StoredQuota } from './stored-quotas.ts';

type Counted = Pick<RequestTable, 'checks' | 'code_hash'>;

/**
 * Takes one of a code's checks, and a point of each of `guesses`, until one has none. `undefined`: no check is left, or
 * the code has expired. `forgive` returns the points if the code was right.
 * @param count - counts the check of a code that can still be checked
 */
export const takeCheck = async (
  { apply }: Pick<Storage, 'apply'>,
  {
    id,
    at,
    guesses,
    by,
    action,
  }: { id: string; at: number; guesses: readonly StoredQuota[]; by: By; action: 'passcode.checked' | 'phone.checked' },
  count: (transaction: Transaction<Schema>) => Promise<Counted | undefined>,
) => {
  const taken: { codeHash: string; checks: number; comparable: boolean }[] = [];
  await apply(
    id,
    { by, action },
    async (transaction, request) => {
      const row = await count(transaction);
      if (!row) return false;
      const { takePoint } = makeQuotas(transaction);
      let waitMs: number | undefined;
      for (const guess of inOrder(guesses)) waitMs ??= await takePoint(transaction, guess, request, at);
      // After too many failures of a phone, checks count but compare nothing.
      taken.push({ codeHash: row.code_hash ?? '', checks: row.checks, comparable: waitMs === undefined });
      return { check: row.checks };
    },
    at,
  );
  return taken[0];
};
