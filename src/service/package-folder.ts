// Where the package's files are that are read at run time, `assets/` and `demo.yaml`: beside this module, in the
// sources and in a bundle alike.

/** Ends with a slash. */
export const packageFolder = new URL('./', import.meta.url);
