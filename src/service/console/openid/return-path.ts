// Where somebody goes on to once they are signed in: a page of the console, whatever they were sent here with.

const longest = 500;
/** Only for reading a path by the rules of addresses; nothing is ever asked there. */
const base = 'https://console.invalid';

/** The path, with its query, if it is one of the console's own pages; else where the console begins. */
export const returnPath = (given: string | undefined): string => {
  const home = '/console';
  if (given === undefined || given.length > longest) return home;
  // As a browser would: dots, back-slashes and hidden hosts are resolved before anything is compared.
  const url = URL.parse(given, base);
  if (!url || url.origin !== base) return home;
  const { pathname, search } = url;
  const inside = (pathname === home || pathname.startsWith(`${home}/`)) && !/^\/console\/sign-(?:in|out)(?:\/|$)/.test(pathname);
  return inside ? `${pathname}${search}` : home;
};
