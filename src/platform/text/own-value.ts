// Reads records whose keys come from outside.

/** The record's own value: “constructor” and “__proto__” are found only where somebody put them. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
