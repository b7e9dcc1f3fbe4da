// Replaces what the keys of quotas reveal by keyed digests. The counts stay.
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { allAccounts, type Seal } from '../../secrets/seal.ts';
import type { QuotaTable } from '../schema.ts';

type HashAddress = Pick<Seal, 'hashAddress'>;

const rewriting = (rewritten: (key: string) => string): Migration => ({
  up: async (db: Kysely<{ quotas: QuotaTable }>) => {
    for (const { key } of await db.selectFrom('quotas').select('key').execute())
      await db
        .updateTable('quotas')
        .set({ key: rewritten(key) })
        .where('key', '=', key)
        .execute();
  },
});

/**
 * Phone numbers and e-mail addresses. Names, accounts and addresses contain no spaces: `messages <account> <address>
 * <session>`.
 */
export const hashQuotas = ({ hashAddress }: HashAddress): Migration =>
  rewriting((key) => {
    const [name = '', first = '', second, ...rest] = key.split(' ');
    if (name === 'calls') return key;
    if (name === 'messages-in-all')
      return [name, hashAddress(allAccounts, first), ...(second === undefined ? [] : [second]), ...rest].join(' ');
    return second === undefined ? key : [name, first, hashAddress(first, second), ...rest].join(' ');
  });

/** Networks: `guesses <account> <digest of the phone> net:<network>`; no session has a colon in its name. */
export const hashNetworks = ({ hashAddress }: HashAddress): Migration =>
  rewriting((key) => key.replace(/^(\S+ (\S+) \S+ net:)(\S+)/, (_, before, account, network) => before + hashAddress(account, network)));
