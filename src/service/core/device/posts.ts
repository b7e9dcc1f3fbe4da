// Reading what a customer's browser posts.

/** The size limit of a page's form: text and a drawn signature. */
export const formLimits = { size: 32 * 1024, depth: 4 };

/** The fields of a posted form. */
export const fieldsOf = (body: unknown): Readonly<Record<string, string>> =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {};
