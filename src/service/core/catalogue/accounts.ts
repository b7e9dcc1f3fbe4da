// The accounts of this service, each with its catalogue. Data is found through an account's id only.
import type { Catalogue } from './catalogue.ts';

/** The account is no longer in the catalogue file, so its request cannot continue. */
class AccountGone extends Error {
  override readonly name = 'AccountGone';
  readonly code = 'account_gone';
}

export type Accounts = ReturnType<typeof makeAccounts>;

export const makeAccounts = (all: readonly Catalogue[]) => {
  const byId = new Map(all.map((catalogue) => [catalogue.account.id, catalogue]));
  return {
    /** In the order of the file. */
    all,
    /** An account's catalogue; `undefined` if the file does not list it (any more). */
    find: (accountId: string): Catalogue | undefined => byId.get(accountId),
    /** The same, for an account that must exist. @throws {AccountGone} */
    of: (accountId: string): Catalogue => {
      const found = byId.get(accountId);
      if (!found) throw new AccountGone();
      return found;
    },
  };
};
