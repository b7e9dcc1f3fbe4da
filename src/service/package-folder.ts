// The folder of the package's files that are read at run time, `assets/` and `demo.yaml`: beside this module, both in
// the sources and in a bundle.

/** Ends with a slash. */
export const packageFolder = new URL('./', import.meta.url);
