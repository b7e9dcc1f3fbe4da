// JSON from outside, read within bounds: valid UTF-8, valid JSON, and no deeper than recursive code can handle.

/** The value, or why there is none. Neither repeats any of the input. */
export type JsonReading = { readonly value: unknown } | { readonly fault: 'malformed' | 'too_deep' };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads bytes as JSON of at most `depth` levels of objects and lists. The caller has limited their size. */
export const readJson = (bytes: Uint8Array, depth: number): JsonReading => {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return { fault: 'malformed' };
  }
  return within(value, depth) ? { value } : { fault: 'too_deep' };
};

const within = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' || value === null || (depth > 0 && Object.values(value).every((item) => within(item, depth - 1)));

/**
 * Whether JSON contains, at any depth, a key that `Object.assign` would turn into a prototype. The Bot Framework copies
 * that way.
 */
export const holdsPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsPrototype));
