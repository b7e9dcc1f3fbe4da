// Work as a written list of steps, as middleware is.

/** Calls `next` once, several times or not at all, and returns its result. */
export type Middleware<Given, Result> = (given: Given, next: (given: Given) => Promise<Result>) => Promise<Result>;

/** The steps around `last`, in this order: the first is the outermost. */
export const inSteps = <Given, Result>(steps: readonly Middleware<Given, Result>[], last: (given: Given) => Promise<Result>) =>
  steps.reduceRight<(given: Given) => Promise<Result>>((next, step) => (given) => step(given, next), last);
