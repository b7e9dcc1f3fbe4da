// Quotas counted in the database, in the transaction of what they limit, so that neither restarts nor further replicas
// add points.
import { type Kysely, sql, type Transaction } from 'kysely';
import { prepareStatement } from '../../../platform/database/prepared-statement.ts';
import type { Request } from '../store/request.ts';
import type { QuotaTable, RequestTable, Schema } from '../store/schema.ts';
import type { SharedQuota } from './limits.ts';

/** A quota for one name and one holder. */
export interface StoredQuota extends SharedQuota {
  /** What is counted: `messages`. */
  readonly name: string;
  /** The holder: an account, a session, the keyed digest of an address. Never the address itself. */
  readonly key: string;
}

/**
 * The names of the quotas for guesses at a phone's passcodes. (`guesses-in-all` was the shared quota while it was reset
 * once a day; read as a steady one, its rows would lock for hours.)
 */
export const guesses = { hour: 'guesses-in-an-hour', day: 'guesses', all: 'guesses-of-all' } as const;

/** The columns that identify a request's account, customer and session. */
export const sessionColumns = ['account_id', 'customer_ref', 'session_ref'] as const;

/** A session that takes points. */
export type SessionColumns = Pick<RequestTable, (typeof sessionColumns)[number]>;

export const sessionOf = ({
  accountId,
  customerRef,
  sessionRef,
}: Pick<Request, 'accountId' | 'customerRef' | 'sessionRef'>): SessionColumns => ({
  account_id: accountId,
  customer_ref: customerRef,
  session_ref: sessionRef,
});

/** How long (ms) a success makes the customer's later sessions trusted. */
const lately = 30 * 24 * 3_600_000;

/**
 * Whether a session is likely to be the customer's own (docs/decisions/0080): something succeeded in it, which takes the
 * customer's device, or lately in any session of its customer. How long it has waited does not count: an attacker can
 * wait too.
 */
const trustIn = async (db: Kysely<Schema>, { account_id, customer_ref, session_ref }: SessionColumns, at: number) => {
  const succeeded = db
    .selectFrom('requests')
    .select('id')
    .where('account_id', '=', account_id)
    .where('customer_ref', '=', customer_ref)
    .where('state', '=', 'success')
    .limit(1);
  if (await succeeded.where('session_ref', '=', session_ref).executeTakeFirst()) return 'session';
  return (await succeeded.where('finished_at', '>', at - lately).executeTakeFirst()) && 'customer';
};

/** No point is left. Thrown inside a transaction to undo it. */
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

/** The key of a quota's row. */
export const rowKey = ({ name, key }: Pick<StoredQuota, 'key' | 'name'>) => `${name} ${key}`;

/** Points that were taken, how many are left for everybody, and when they expire. */
export type Share = { readonly points: number; readonly left: number; readonly until: number };

/** Milliseconds between two points of a steady quota coming back. */
const interval = ({ points, seconds }: StoredQuota) => Math.ceil((seconds * 1000) / points);

/**
 * Milliseconds until a quota has a point, from its row; `undefined` if it has one now. `resets_at` is when all points
 * are back, which is all that a steady quota stores (the generic cell rate algorithm of ITU-T I.371).
 */
export const waitOf = (quota: StoredQuota, row: QuotaTable | undefined, at: number) => {
  if (!row || row.resets_at <= at) return undefined;
  if (!quota.steady) return row.taken < quota.points ? undefined : row.resets_at - at;
  const wait = row.resets_at - (at + (quota.points - 1) * interval(quota));
  return wait > 0 ? wait : undefined;
};

/** Takes a point of a steady quota. If none is left: the milliseconds until there is one again. */
const takeSteady = async (db: Kysely<Schema>, quota: StoredQuota, at: number): Promise<number | undefined> => {
  const [key, each] = [rowKey(quota), interval(quota)];
  const full = sql<boolean>`quotas.resets_at <= ${at}`;
  const taken = await db
    .insertInto('quotas')
    .values({ key, taken: 1, resets_at: at + each })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ resets_at: sql`case when ${full} then ${at + each} else quotas.resets_at + ${each} end` })
        .where('quotas.resets_at', '<=', at + (quota.points - 1) * each),
    )
    .returning('key')
    .executeTakeFirst();
  if (taken) return undefined;
  return waitOf(quota, await db.selectFrom('quotas').selectAll().where('key', '=', key).executeTakeFirst(), at) ?? 0;
};

/** The parts of a quota kept for trusted sessions, in separate rows that sort right after the shared one. */
const keptOf = ({ name, key, kept }: StoredQuota, own: 'customer' | 'session'): readonly StoredQuota[] =>
  kept
    ? [
        { name, key: `${key} kept`, points: kept.customer, seconds: kept.seconds },
        ...(own === 'session' ? [{ name, key: `${key} kept own`, points: kept.session, seconds: kept.seconds }] : []),
      ]
    : [];

/** A quota with its kept parts. */
export const withKept = (quota: StoredQuota): readonly StoredQuota[] => [quota, ...keptOf(quota, 'session')];

/** The first quota that has a point, according to `take`; if none has, the shortest wait (ms). */
export const firstWith = async (
  db: Kysely<Schema>,
  quota: StoredQuota,
  session: SessionColumns,
  at: number,
  take: (quota: StoredQuota) => Promise<number | undefined> | number | undefined,
): Promise<number | undefined> => {
  let shortest = await take(quota);
  if (shortest === undefined || !quota.kept) return shortest;
  const own = await trustIn(db, session, at);
  for (const kept of own ? keptOf(quota, own) : []) {
    const wait = await take(kept);
    if (wait === undefined) return undefined;
    shortest = Math.min(shortest, wait);
  }
  return shortest;
};

/** Always in the same order: two transactions that take the same points wait for each other instead of deadlocking. */
export const inOrder = (quotas: readonly StoredQuota[]) => quotas.toSorted((one, other) => (rowKey(one) < rowKey(other) ? -1 : 1));

type Numbers = 'at' | 'maxTaken' | 'resetsAt' | 'share';

/** What takes points, within a transaction or without one. */
export const makeQuotas = (db: Kysely<Schema>) => {
  /** Returns nothing if more than `maxTaken` points are taken. */
  const take = prepareStatement(db, (to, { key, share, at, resetsAt, maxTaken }: { key: string } & Record<Numbers, number>) => {
    const over = sql<boolean>`quotas.resets_at <= ${at}`;
    return to
      .insertInto('quotas')
      .values({ key, taken: share, resets_at: resetsAt })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({
            taken: sql`case when ${over} then excluded.taken else quotas.taken + excluded.taken end`,
            resets_at: sql`case when ${over} then excluded.resets_at else quotas.resets_at end`,
          })
          .where(sql<boolean>`(${over} or quotas.taken <= ${maxTaken})`),
      )
      .returning(['resets_at', 'taken']);
  });

  /** Takes several points at once, or none if fewer are left; then it returns how long (ms) until there are. */
  const takeShare = async (
    to: Kysely<Schema>,
    quota: StoredQuota,
    share: number,
    at: number,
  ): Promise<Share | { readonly waitMs: number }> => {
    const key = rowKey(quota);
    const resetsAt = at + quota.seconds * 1000;
    if (quota.points < share) return { waitMs: resetsAt - at };
    const [taken] = (await take(to, { key, share, at, resetsAt, maxTaken: quota.points - share })).rows;
    if (taken) return { points: share, left: Math.max(0, quota.points - taken.taken), until: taken.resets_at };
    const row = await to.selectFrom('quotas').select('resets_at').where('key', '=', key).executeTakeFirst();
    return { waitMs: Math.max(0, (row?.resets_at ?? at) - at) };
  };

  /** Takes a point. If none is left: the milliseconds until there is one again. */
  const takePoint = (
    transaction: Transaction<Schema>,
    quota: StoredQuota,
    session: SessionColumns,
    at: number,
  ): Promise<number | undefined> =>
    firstWith(transaction, quota, session, at, async (one) => {
      if (one.steady) return takeSteady(transaction, one, at);
      const taken = await takeShare(transaction, one, 1, at);
      return 'waitMs' in taken ? taken.waitMs : undefined;
    });

  /** Takes a point of each. @throws {QuotaUsedUp} to undo the transaction. */
  const takePoints = async (transaction: Transaction<Schema>, quotas: readonly StoredQuota[], session: SessionColumns, at: number) => {
    for (const quota of inOrder(quotas)) {
      const waitMs = await takePoint(transaction, quota, session, at);
      if (waitMs !== undefined) throw new QuotaUsedUp(quota, waitMs);
    }
  };

  return { takeShare, takePoint, takePoints };
};
