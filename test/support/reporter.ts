// The usual report of a run, followed by where the time went.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { failuresVariable } from './tier.ts';
import { readTimes } from './times.ts';

const tests = new URL('..', import.meta.url).pathname;
const slowest = 10;

const row = (...[seconds, count, name]: [string, string, string]) => `${seconds.padStart(9)} ${count.padStart(7)}  ${name}`;

/** The folder in `test/`, or the file itself if it is in none. */
const folderOf = (file: string) => file.split('/')[0] as string;

/** Where a run's time went: its folders, then its slowest files. */
const table = (times: ReturnType<typeof readTimes>, counts: ReadonlyMap<string, number>): string[] => {
  const of = (name: string, files: typeof times) => {
    const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
    const tests = files.reduce((sum, { file }) => sum + (counts.get(file) ?? 0), 0);
    return { name: files.length > 1 ? `${name} (${files.length} files)` : name, seconds, tests };
  };
  const bySeconds = (one: { seconds: number }, other: { seconds: number }) => other.seconds - one.seconds;
  const print = ({ name, seconds, tests }: ReturnType<typeof of>) => row(seconds.toFixed(1), String(tests), name);
  const folders = Object.entries(Object.groupBy(times, ({ file }) => folderOf(file))).map(([name, files = []]) => of(name, files));
  return [
    row('seconds', 'tests', 'of one worker, by folder'),
    ...folders.sort(bySeconds).map(print),
    print(of('all', times)),
    '',
    row('seconds', 'tests', `the ${slowest} slowest files`),
    ...times
      .toSorted(bySeconds)
      .slice(0, slowest)
      .map((time) => print(of(time.file, [time]))),
  ];
};

/** The failures of every pass of a run, to be read at its end: what follows them may be thousands of lines. */
const noteFailure = (test: Mocha.Test, error: Error) => {
  const list = process.env[failuresVariable];
  if (list) appendFileSync(list, `${relative(tests, test.file ?? '')}: ${test.fullTitle()}\n    ${error.message}\n`);
};

export default class Timed extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('fail', noteFailure);
    // Named files run in one process, so there is nothing to compare.
    if (!(runner as { isParallelMode?: () => boolean }).isParallelMode?.()) return;
    const counts = new Map<string, number>();
    runner.on('test end', ({ file }) => {
      const name = relative(tests, file ?? '');
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
    runner.once('end', () => console.log(`${table(readTimes(), counts).join('\n')}\n`));
  }
}
