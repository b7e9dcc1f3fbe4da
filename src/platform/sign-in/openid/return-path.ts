// Where somebody goes on to once they are signed in: a page of ours, whatever they were sent here with.

const longest = 500;
/** Only for reading a path by the rules of addresses; nothing is ever asked there. */
const base = 'https://pages.invalid';

/** The path, with its query, if it is one of the pages below `home`; else `home` itself. */
export const returnPath = (given: string | undefined, home: string): string => {
  if (given === undefined || given.length > longest) return home;
  // As a browser would: dots, back-slashes and hidden hosts are resolved before anything is compared.
  const url = URL.parse(given, base);
  if (!url || url.origin !== base) return home;
  const { pathname, search } = url;
  const inside = (pathname === home || pathname.startsWith(`${home}/`)) && !/^\/sign-(?:in|out)(?:\/|$)/.test(pathname.slice(home.length));
  return inside ? `${pathname}${search}` : home;
};
