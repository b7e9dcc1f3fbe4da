// The time in which the machine below wanted to run us and ran somebody else (proc_stat(5)): while there is much of it,
// figures are no evidence.
import { readFileSync } from 'node:fs';

const times = (): { readonly all: number; readonly stolen: number } | undefined => {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/ +/).slice(1, 9).map(Number) ?? [];
    return { all: fields.reduce((sum, field) => sum + field, 0), stolen: fields[7] ?? 0 };
  } catch {
    return undefined;
  }
};

/** Begins to count. The answer tells the share that was stolen since, from 0 to 1; 0 where nobody says. */
export const countSteal = (): (() => number) => {
  const before = times();
  return () => {
    const after = times();
    if (!before || !after || after.all === before.all) return 0;
    return (after.stolen - before.stolen) / (after.all - before.all);
  };
};
