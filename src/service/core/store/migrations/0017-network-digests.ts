// Replaces the networks in the keys of guesses' quotas by keyed digests. The counts stay.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Seal } from '../../secrets/seal.ts';
import type { QuotaTable } from '../schema.ts';

/** `guesses <account> <digest of the phone> net:<network>`; no session has a colon in its name. */
const hashed = (key: string, { hashAddress }: Pick<Seal, 'hashAddress'>): string =>
  key.replace(/^(\S+ (\S+) \S+ net:)(\S+)/, (_, before, account, network) => before + hashAddress(account, network));

export const hashNetworks = (seal: Pick<Seal, 'hashAddress'>): Migration => ({
  up: async (db: Kysely<{ quotas: QuotaTable }>) => {
    for (const { key } of await db.selectFrom('quotas').select('key').where('key', 'like', '% net:%').execute())
      await db
        .updateTable('quotas')
        .set({ key: hashed(key, seal) })
        .where('key', '=', key)
        .execute();
  },
});
