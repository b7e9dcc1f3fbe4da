// Measurements as files, one each, with the commit that they are of: what the next one is compared with.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { type Effort, isReached, ratioOf } from './line.ts';
import type { Named } from './table.ts';

/** What was measured at a commit. */
export interface Measurement {
  readonly commit: string;
  readonly lines: readonly Named[];
}

/** The commit that is measured; with a `+` if something has changed since. */
const commitNow = (): string => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim();
  try {
    return git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
};

/** Writes the lines as `<folder>/<date>.json` and tells the file's name. */
export const writeLines = (
  folder: string,
  lines: readonly Named[],
  { rounds, waiting }: Effort,
  { at, steal }: { readonly at: Date; readonly steal: number },
): string => {
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), steal };
  const measured = lines.map((line) => ({ ...line, ratio: ratioOf(line), reached: isReached(line) }));
  const file = join(folder, `${at.toISOString().replaceAll(':', '-')}.json`);
  mkdirSync(folder, { recursive: true });
  const written = { date: at.toISOString(), commit: commitNow(), machine, rounds, waiting, lines: measured };
  writeFileSync(file, `${JSON.stringify(written, undefined, 2)}\n`);
  return file;
};

/** What was measured last at a commit, of each line; `undefined`: nothing. `commit` may be the beginning of its name. */
export const measuredAt = (folder: string, commit: string): Measurement | undefined => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const all = files.sort().map((name): Partial<Measurement> => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  const lines = all.filter((one) => one.commit?.startsWith(commit)).flatMap((one) => one.lines ?? []);
  return lines.length > 0 ? { commit, lines: lines.reverse() } : undefined;
};
