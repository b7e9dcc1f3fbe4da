// Replaces the phone numbers and e-mail addresses in the keys of quotas by keyed digests. The counts stay.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { allAccounts, type Seal } from '../../secrets/seal.ts';
import type { QuotaTable } from '../schema.ts';

/** Names, accounts and addresses contain no spaces: `messages <account> <address> <session>`. */
const hashed = (key: string, { hashAddress }: Pick<Seal, 'hashAddress'>): string => {
  const [name = '', first = '', second, ...rest] = key.split(' ');
  if (name === 'calls') return key;
  if (name === 'messages-in-all')
    return [name, hashAddress(allAccounts, first), ...(second === undefined ? [] : [second]), ...rest].join(' ');
  return second === undefined ? key : [name, first, hashAddress(first, second), ...rest].join(' ');
};

export const hashQuotas = (seal: Pick<Seal, 'hashAddress'>): Migration => ({
  up: async (db: Kysely<{ quotas: QuotaTable }>) => {
    for (const { key } of await db.selectFrom('quotas').select('key').execute())
      await db
        .updateTable('quotas')
        .set({ key: hashed(key, seal) })
        .where('key', '=', key)
        .execute();
  },
});
