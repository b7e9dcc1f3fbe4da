// The accounts of this service, each with its catalogue. Data is found through an account's id only.
import type { Catalogue } from './catalogue.ts';

/** The account is no longer in the catalogue file, so its request cannot continue. */
class AccountGone extends Error {
  override readonly name = 'AccountGone';
  readonly code = 'account_gone';
}

export interface Accounts {
  /** In the order of the file. */
  readonly all: readonly Catalogue[];
  /** An account's catalogue; `undefined` if the file does not list it (any more). */
  find(accountId: string): Catalogue | undefined;
  /** The same, for an account that must exist. @throws {AccountGone} */
  of(accountId: string): Catalogue;
}

export const makeAccounts = (all: readonly Catalogue[]): Accounts => {
  const byId = new Map(all.map((catalogue) => [catalogue.account.id, catalogue]));
  return {
    all,
    find: (accountId) => byId.get(accountId),
    of: (accountId) => {
      const found = byId.get(accountId);
      if (!found) throw new AccountGone();
      return found;
    },
  };
};
