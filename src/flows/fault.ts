// A fault in a flow with its place, formatted for terminals, programs and pull requests.

/** Something wrong in a file. Lines and columns count from 1. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Stable, so that programs can use it. */
  readonly code: string;
  readonly message: string;
  /** A suggestion: what may have been meant, or what to do. */
  readonly hint?: string;
  /** The flow still runs. */
  readonly warning?: true;
}

const placeOf = ({ file, line, column }: Fault) => `${file}:${line}:${column}`;
const wordsOf = ({ message, hint }: Fault) => (hint === undefined ? message : `${message}; ${hint}`);

/** `file:line:column: what is wrong; what to do` */
export const faultLine = (fault: Fault): string => `${placeOf(fault)}: ${fault.warning ? 'warning: ' : ''}${wordsOf(fault)}`;

const escaped = (value: string) => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (value: string) => escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** An annotation of a workflow run (docs.github.com, "Workflow commands"). */
export const faultAnnotation = (fault: Fault): string =>
  `::${fault.warning ? 'warning' : 'error'} file=${property(fault.file)},line=${fault.line},col=${fault.column}::${escaped(wordsOf(fault))}`;

export const inOrder = (faults: readonly Fault[]): Fault[] =>
  faults.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);

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

/** A hint at a known word that is spelled almost the same. */
export const didYouMean = (written: string, known: readonly string[]): { readonly hint?: string } => {
  const [nearest] = known
    .map((word) => ({ word, away: distance(written.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, away }) => away <= Math.max(1, Math.floor(Math.min(word.length, written.length + 1) / 3)))
    .toSorted((a, b) => a.away - b.away);
  return nearest ? { hint: `did you mean ${nearest.word}?` } : {};
};
