// Quotas counted in the database, in the transaction of what they bound: no restart and no second replica gives a point more.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from './schema.ts';

/** A number of points within a number of seconds, for one name and one holder of points. */
export interface StoredQuota {
  /** What is counted: `messages`. */
  readonly name: string;
  /** Whose points: an account, a session, the keyed digest of an address. Never the address itself. */
  readonly key: string;
  readonly points: number;
  readonly seconds: number;
  /** More points, for the customer's own sessions. */
  readonly kept?: number;
}

/** What guesses at the passcodes of a phone are counted under. */
export const guesses = { hour: 'guesses-in-an-hour', day: 'guesses', all: 'guesses-in-all' } as const;

/** Whether points are taken by one of the customer's own sessions; asked only where the others are used up. */
export type IsOwn = () => Promise<boolean>;

/** No point is left. Thrown inside a transaction, so that nothing of it remains. */
export class QuotaUsedUp extends Error {
  override readonly name = 'QuotaUsedUp';
  readonly code = 'quota_used_up';
  readonly quota: StoredQuota;
  /** Milliseconds until there are points again. */
  readonly waitMs: number;
  constructor(quota: StoredQuota, waitMs: number) {
    super('quota_used_up');
    this.quota = quota;
    this.waitMs = waitMs;
  }
}

/** The row that a quota is counted in. */
export const rowKey = ({ name, key }: Pick<StoredQuota, 'key' | 'name'>) => `${name} ${key}`;

/**
 * Points that were taken, how many are left for everybody, and the instant they are good until; or, where none is left, the milliseconds until
 * there are some again.
 */
export type Taken = { readonly points: number; readonly left: number; readonly until: number } | { readonly waitMs: number };

/** Takes several points at once, or none where fewer are left. */
export const takeShare = async (db: Kysely<Schema>, quota: StoredQuota, share: number, at: number): Promise<Taken> => {
  const key = rowKey(quota);
  const resetsAt = at + quota.seconds * 1000;
  if (quota.points < share) return { waitMs: resetsAt - at };
  const over = sql<boolean>`quotas.resets_at <= ${at}`;
  const taken = await db
    .insertInto('quotas')
    .values({ key, taken: share, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          taken: sql`case when ${over} then ${share} else quotas.taken + ${share} end`,
          resets_at: sql`case when ${over} then ${resetsAt} else quotas.resets_at end`,
        })
        .where(sql<boolean>`(${over} or quotas.taken <= ${quota.points - share})`),
    )
    .returning(['resets_at', 'taken'])
    .executeTakeFirst();
  if (taken) return { points: share, left: Math.max(0, quota.points - taken.taken), until: taken.resets_at };
  const row = await db.selectFrom('quotas').select('resets_at').where('key', '=', key).executeTakeFirst();
  return { waitMs: Math.max(0, (row?.resets_at ?? at) - at) };
};

/** The part of a quota that is kept: a row of its own, which sorts right after the other. */
export const keptOf = ({ kept = 0, ...quota }: StoredQuota): StoredQuota => ({ ...quota, key: `${quota.key} kept`, points: kept });

/** Takes a point. Where none is left: the milliseconds until there is one again. */
export const takePoint = async (
  transaction: Transaction<Schema>,
  quota: StoredQuota,
  at: number,
  isOwn: IsOwn,
): Promise<number | undefined> => {
  const taken = await takeShare(transaction, quota, 1, at);
  if (!('waitMs' in taken)) return undefined;
  if (!quota.kept || !(await isOwn())) return taken.waitMs;
  const kept = await takeShare(transaction, keptOf(quota), 1, at);
  return 'waitMs' in kept ? kept.waitMs : undefined;
};

/** Always in the same order: two transactions that take the same points wait for each other instead of deadlocking. */
export const inOrder = (quotas: readonly StoredQuota[]) => quotas.toSorted((one, other) => (rowKey(one) < rowKey(other) ? -1 : 1));

/** Takes a point of each. @throws {QuotaUsedUp} which undoes the transaction. */
export const takePoints = async (
  transaction: Transaction<Schema>,
  quotas: readonly StoredQuota[],
  at: number,
  isOwn: IsOwn,
): Promise<void> => {
  for (const quota of inOrder(quotas)) {
    const waitMs = await takePoint(transaction, quota, at, isOwn);
    if (waitMs !== undefined) throw new QuotaUsedUp(quota, waitMs);
  }
};

/** Gives back every point that was taken, one quota after the other, as they are taken. */
export const giveBack = async (transaction: Transaction<Schema>, quotas: readonly StoredQuota[]): Promise<void> => {
  for (const quota of inOrder(quotas.flatMap((one) => [one, keptOf(one)])))
    await transaction.deleteFrom('quotas').where('key', '=', rowKey(quota)).execute();
};
