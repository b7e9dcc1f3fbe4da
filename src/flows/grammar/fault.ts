// A fault in a flow with its position, formatted for terminals, programs and pull requests.

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

const positionOf = ({ file, line, column }: Fault) => `${file}:${line}:${column}`;
const wordsOf = ({ message, hint }: Fault) => (hint === undefined ? message : `${message}; ${hint}`);

/** `file:line:column: what is wrong; what to do` */
export const faultLine = (fault: Fault): string => `${positionOf(fault)}: ${fault.warning ? 'warning: ' : ''}${wordsOf(fault)}`;

const escaped = (value: string) => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (value: string) => escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** An annotation of a workflow run (docs.github.com, "Workflow commands"). */
export const faultAnnotation = (fault: Fault): string =>
  `::${fault.warning ? 'warning' : 'error'} file=${property(fault.file)},line=${fault.line},col=${fault.column}::${escaped(wordsOf(fault))}`;

export const inOrder = (faults: readonly Fault[]): Fault[] =>
  faults.toSorted((a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column);
