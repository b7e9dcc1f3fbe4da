// The look of pages and messages: each account's theme, or else the service's.
import type { HttpServer } from '../../../platform/http/http-server.ts';
import { inColours, type Look, makeLookOf } from '../../../platform/pages/look.ts';
import type { Theme } from '../../../platform/pages/theme.ts';
import type { Accounts } from '../accounts.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

export type Looks = ReturnType<typeof addLooks>;

/** Serves the logos, and returns the looks of all accounts. */
export const addLooks = (server: HttpServer, loaded: readonly Catalogue[], theme: Theme = {}) => {
  const lookOf = makeLookOf(server);
  const service = lookOf(theme);
  // With several accounts, the service's name and logo do not stand for any one of them.
  const shared: Look = loaded.length > 1 ? inColours(theme.colours) : service;
  const own = new Map(loaded.map(({ account, theme: one }) => [account.id, one ? lookOf(one) : shared]));
  return {
    /** The service's look, for pages that belong to no account. */
    service /** An account's look. Without a theme, it is the service's. */,
    of: (accountId: string | undefined): Look => own.get(accountId ?? '') ?? service,
  };
};

/** The theme of the first account, with the account's name if the theme has none. */
export const themeOf = ([first]: readonly Catalogue[], theme: Theme = {}): Theme => {
  const own = first?.theme ?? theme;
  return { ...own, name: own.name ?? first?.account.name };
};

/** An account's name, colours and links. If the account is unknown: those of the only account, or none. */
export const makeBrandOf = ({ all, find }: Accounts, looks: Looks) => {
  const [only, ...others] = all;
  return (accountId: string | undefined): Pick<Look, 'colours' | 'links' | 'name'> => {
    const found = find(accountId ?? '') ?? (others.length === 0 ? only : undefined);
    const { name, colours, links } = looks.of(found?.account.id);
    return { colours, links, name: name ?? found?.account.name };
  };
};
