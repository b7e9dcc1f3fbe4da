// Reading what a customer's browser posts.

/** The size limit of a page's form: text and a drawn signature. */
export const formLimits = { size: 32 * 1024, depth: 4 };
