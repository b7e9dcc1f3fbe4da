// The duration of each test file, recorded by the process that ran it, for the table at the end of the run.
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runVariable } from './packed.ts';

const tests = join(import.meta.dirname, '..');

export interface FileTime {
  /** Named from `test/`. */
  readonly file: string;
  /** Seconds of one worker, loading included. */
  readonly seconds: number;
}

const notes = (): string => join(process.env[runVariable] ?? '', 'times.jsonl');

/** When this worker was last idle; at first, when its process began. */
let free = 0;

/** Called in a worker after each file. */
export function noteTime(this: Mocha.Context): void {
  const file = this.test?.parent?.suites[0]?.file ?? this.test?.parent?.tests[0]?.file;
  const now = performance.now();
  if (file)
    appendFileSync(notes(), `${JSON.stringify({ file: relative(tests, file), seconds: (now - free) / 1000 } satisfies FileTime)}\n`);
  free = now;
}

/** The records so far. */
export const readTimes = (): FileTime[] => {
  const lines = readFileSync(notes(), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};
