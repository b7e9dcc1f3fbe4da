// Guesses at the codes of phones, whichever app sends them. Checks are taken one by one, before a code is compared, even
// with concurrent attempts on several replicas.
import type { Transaction } from 'kysely';
import type { Act } from '../audit/actions.ts';
import type { HeadColumns } from '../audit/trail.ts';
import type { Storage } from '../store/index.ts';
import type { RequestTable, Schema } from '../store/schema.ts';
import { firstWith, inOrder, makeQuotas, rowKey, type SessionColumns, type StoredQuota, waitOf, withKept } from './stored-quotas.ts';

type Counted = Pick<RequestTable, 'checks' | 'code_hash'> & HeadColumns & SessionColumns;

/**
 * Takes one of a code's checks, and a point of each of `guesses`, until one has none. `undefined`: no check is left, or
 * the code has expired. {@link forgive} returns the points if the code was right.
 * @param count - counts the check of a code that can still be checked, with its request locked
 */
export const takeCheck = (
  { database: { db }, trail }: Pick<Storage, 'database' | 'trail'>,
  {
    id,
    at,
    guesses,
    by,
    action,
  }: Pick<Act, 'by'> & {
    readonly id: string;
    readonly at: number;
    readonly guesses: readonly StoredQuota[];
    readonly action: 'passcode.checked' | 'phone.checked';
  },
  count: (transaction: Transaction<Schema>) => Promise<Counted | undefined>,
) =>
  db.transaction().execute(async (transaction) => {
    const row = await count(transaction);
    if (!row) return undefined;
    const { checks, code_hash } = row;
    await trail.append(transaction, id, row, [{ by, action, facts: { check: checks } }], at);
    const { takePoint } = makeQuotas(transaction);
    let waitMs: number | undefined;
    for (const guess of inOrder(guesses)) waitMs ??= await takePoint(transaction, guess, row, at);
    // After too many failures of a phone, checks count but compare nothing.
    return { codeHash: code_hash ?? '', checks, comparable: waitMs === undefined };
  });

/** Gives the points of guesses back. */
export const forgive = ({ database: { db } }: Pick<Storage, 'database'>, guesses: readonly StoredQuota[]): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    for (const quota of inOrder(guesses.flatMap(withKept)))
      await transaction.deleteFrom('quotas').where('key', '=', rowKey(quota)).execute();
  });

/** Milliseconds until a code of this phone can be compared again in a session; `undefined` if it can be now. */
export const blockedFor = async (
  { database: { db } }: Pick<Storage, 'database'>,
  guesses: readonly StoredQuota[],
  session: SessionColumns,
  at: number,
): Promise<number | undefined> => {
  const keys = guesses.flatMap(withKept).map(rowKey);
  const rows = await db.selectFrom('quotas').selectAll().where('key', 'in', keys).execute();
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const waits: number[] = [];
  for (const guess of guesses) {
    const wait = await firstWith(db, guess, session, at, (quota) => waitOf(quota, byKey.get(rowKey(quota)), at));
    if (wait !== undefined) waits.push(wait);
  }
  return waits.length === 0 ? undefined : Math.max(...waits);
};
