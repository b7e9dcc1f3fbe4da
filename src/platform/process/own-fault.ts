// Faults of the program itself, as opposed to those of what it calls.

const kinds = [TypeError, RangeError, ReferenceError, SyntaxError];

/**
 * Whether a fault is the program's own: it met a value that it does not expect, such as state that another version
 * stored. Faults from outside have a class or a code of their own; a failed `fetch` is a TypeError with a cause.
 */
export const isOwnFault = (fault: unknown): boolean => kinds.some((kind) => fault instanceof kind) && (fault as Error).cause === undefined;
