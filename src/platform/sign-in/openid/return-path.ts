// The page to continue to after a sign-in: always one of ours, whatever the request named.

const longest = 500;
/** Only for parsing a path as an address; no request is ever sent there. */
const base = 'https://pages.invalid';

/** The path, with its query, if it is one of the pages below `home`; else `home` itself. */
export const returnPath = (given: string | undefined, home: string): string => {
  if (given === undefined || given.length > longest) return home;
  // As in a browser: dots, backslashes and hidden hosts are resolved before anything is compared.
  const url = URL.parse(given, base);
  if (!url || url.origin !== base) return home;
  const { pathname, search } = url;
  const inside = (pathname === home || pathname.startsWith(`${home}/`)) && !/^\/sign-(?:in|out)(?:\/|$)/.test(pathname.slice(home.length));
  return inside ? `${pathname}${search}` : home;
};
