// In whose name something goes to a customer: as the pages behind it look.

import type { Look } from '../../platform/look.ts';
import type { Accounts } from '../catalogue/accounts.ts';
import type { Looks } from './looks.ts';

/** An account's name, colours and links. Where the account is not known: the only one's, or nobody's. */
export const makeBrandOf = ({ all, find }: Accounts, looks: Looks) => {
  const [only, ...others] = all;
  return (accountId: string | undefined): Pick<Look, 'colours' | 'links' | 'name'> => {
    const found = find(accountId ?? '') ?? (others.length === 0 ? only : undefined);
    const { name, colours, links } = looks.of(found?.account.id);
    return { colours, links, name: name ?? found?.account.name };
  };
};
