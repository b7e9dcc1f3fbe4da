// The lines as people read them.
import type { Measurement } from './history.ts';
import { isReached, type Line, ratioOf } from './line.ts';

/** A line with the name of its bench. */
export interface Named extends Line {
  readonly bench: string;
}

const short = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));
const figure = (value: number | undefined, unit = '') => (value === undefined ? '–' : `${short(value)}${unit && ` ${unit}`}`);

const reachOf = ({ reach, unit }: Line) => (reach ? ('ratio' in reach ? `≤ ${reach.ratio} ×` : `≤ ${reach.most} ${unit}`) : '');
const wordFor = { true: 'yes', false: 'no', undefined: '' };

const cells = (line: Named): string[] => {
  const ratio = ratioOf(line);
  return [
    line.bench,
    line.what,
    figure(line.floor, line.unit),
    figure(line.ours, line.unit),
    ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`,
    reachOf(line),
    wordFor[`${isReached(line)}` as keyof typeof wordFor],
  ];
};

const head = ['bench', 'what', 'floor', 'ours', 'ratio', 'to reach', 'reached'];

/** Ours at an earlier commit, and how much of it ours is now. */
const beside = (line: Named, { lines }: Measurement): string[] => {
  const then = lines.find(({ bench, what, unit }) => bench === line.bench && what === line.what && unit === line.unit);
  if (!then) return ['–', '–'];
  return [figure(then.ours, line.unit), `${((line.ours / then.ours) * 100).toFixed(0)} %`];
};

/** The table, as lines of text; beside an earlier measurement, where there is one. */
export const tableOf = (lines: readonly Named[], against?: Measurement): string[] => {
  const first = against ? [...head, `at ${against.commit.slice(0, 8)}`, 'of that'] : head;
  const rows = [first, ...lines.map((line) => [...cells(line), ...(against ? beside(line, against) : [])])];
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};
