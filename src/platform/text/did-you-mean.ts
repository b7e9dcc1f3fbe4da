// The known word that somebody may have meant by another.

/** How many characters must be added, removed, changed or swapped to turn one word into the other. */
const distance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const [above = [], twoAbove = []] = [rows[i - 1], rows[i - 2]];
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(swapped ? Math.min(best, (twoAbove[j - 2] ?? 0) + 1) : best);
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
};

/** The known word of which at most one letter in three differs, and at most `most`; `undefined`: there is none. */
export const nearestWord = (written: string, known: readonly string[], most = Number.POSITIVE_INFINITY): string | undefined => {
  const [nearest] = known
    .map((word) => ({ word, away: distance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, away }) => away <= Math.min(most, Math.max(1, Math.floor(Math.min(word.length, written.length + 1) / 3))))
    .toSorted((a, b) => a.away - b.away);
  return nearest?.word;
};

/** A hint at a known word that is spelled almost the same. */
export const didYouMean = (written: string, known: readonly string[]): { readonly hint?: string } => {
  const nearest = nearestWord(written, known);
  return nearest === undefined ? {} : { hint: `did you mean ${nearest}?` };
};
