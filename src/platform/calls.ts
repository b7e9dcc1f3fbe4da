// How a command is called: by npm's scripts in the repository, by the program's own name where the package is installed.

/** What is installed is compiled. */
const fromSources = import.meta.url.endsWith('.ts');

/** The call that fits this install. */
export const called = (inRepository: string, installed: string, sources: boolean = fromSources): string =>
  sources ? inRepository : installed;
