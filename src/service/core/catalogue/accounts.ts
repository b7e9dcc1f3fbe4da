// The accounts of this service, each with what it offers. Whatever belongs to one is found through its id only.
import type { Catalogue } from './catalogue.ts';

/** What belongs to an account that is in the catalogue's file no longer cannot be gone on with. */
class AccountGone extends Error {
  override readonly name = 'AccountGone';
  readonly code = 'account_gone';
}

export interface Accounts {
  /** In the order of the file. */
  readonly all: readonly Catalogue[];
  /** What an account offers; `undefined` for one that is not in the file, or is so no longer. */
  find(accountId: string): Catalogue | undefined;
  /** Likewise, where there must be one. @throws {AccountGone} */
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
