// The lines as people read them, and as a file that programs read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { type Effort, isReached, type Line, ratioOf } from './line.ts';

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

/** The table, as lines of text. */
export const tableOf = (lines: readonly Named[]): string[] => {
  const rows = [head, ...lines.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

/** Writes the lines as `<folder>/<date>.json` and tells the file's name. */
export const writeLines = (folder: string, lines: readonly Named[], { rounds, waiting }: Effort, at: Date): string => {
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism() };
  const measured = lines.map((line) => ({ ...line, ratio: ratioOf(line), reached: isReached(line) }));
  const file = join(folder, `${at.toISOString().replaceAll(':', '-')}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify({ date: at.toISOString(), machine, rounds, waiting, lines: measured }, undefined, 2)}\n`);
  return file;
};
