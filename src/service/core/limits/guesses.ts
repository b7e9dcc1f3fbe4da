// Stores the guesses at the passcodes of phones, whichever app sends the codes.
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../store/schema.ts';
import type { ServiceLimits, SharedQuota } from './limits.ts';
import { firstWith, guesses, inOrder, rowKey, type SessionColumns, type StoredQuota, waitOf, withKept } from './stored-quotas.ts';

export const makeGuesses = (db: Kysely<Schema>) => ({
  /** Gives the points of guesses back. */
  forgive: (guesses: readonly StoredQuota[]) =>
    db.transaction().execute(async (transaction) => {
      for (const quota of inOrder(guesses.flatMap(withKept)))
        await transaction.deleteFrom('quotas').where('key', '=', rowKey(quota)).execute();
    }),
  /** Resets all counts of guesses at the codes of an account's phone, given by its digest, in all sessions. */
  unlock: async (accountId: string, phoneHash: string) => {
    // Not LIKE: an account's name may contain its wildcards.
    const ofPhone = (name: string) =>
      sql<boolean>`substr(key || ' ', 1, ${`${name} ${accountId} ${phoneHash} `.length}) = ${`${name} ${accountId} ${phoneHash} `}`;
    await db
      .deleteFrom('quotas')
      .where((eb) => eb.or(Object.values(guesses).map(ofPhone)))
      .execute();
  },
  /** The digests of an account's phones whose codes are currently not compared, in some session or in all. */
  locked: async (
    accountId: string,
    { passcodeFailures, passcodeFailuresInAll }: ServiceLimits,
    at: number,
  ): Promise<ReadonlySet<string>> => {
    const rows = await db.selectFrom('quotas').selectAll().where('key', 'like', 'guesses%').where('resets_at', '>', at).execute();
    const limits: Readonly<Record<string, SharedQuota>> = {
      [guesses.hour]: { points: passcodeFailures.anHour, seconds: 3600 },
      [guesses.day]: { points: passcodeFailures.untilLocked, seconds: 24 * 3600 },
      [guesses.all]: passcodeFailuresInAll,
    };
    return new Set(
      rows.flatMap((row) => {
        const [name = '', account, phone = '', last] = row.key.split(' ');
        const limit = limits[name];
        return limit && account === accountId && last !== 'kept' && waitOf({ name, key: row.key, ...limit }, row, at) !== undefined
          ? [phone]
          : [];
      }),
    );
  },
  /** Milliseconds until a code of this phone can be compared again in a session; `undefined` if it can be now. */
  blockedFor: async (guesses: readonly StoredQuota[], session: SessionColumns, at: number): Promise<number | undefined> => {
    const keys = guesses.flatMap(withKept).map(rowKey);
    const rows = await db.selectFrom('quotas').selectAll().where('key', 'in', keys).execute();
    const wait = (quota: StoredQuota) =>
      waitOf(
        quota,
        rows.find(({ key }) => key === rowKey(quota)),
        at,
      );
    let longest: number | undefined;
    for (const guess of guesses) {
      const left = await firstWith(db, guess, session, at, wait);
      if (left !== undefined) longest = Math.max(longest ?? 0, left);
    }
    return longest;
  },
});
