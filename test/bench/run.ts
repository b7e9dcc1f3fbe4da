// The process behind `npm run bench`: measures all rows, or those that are named, and prints and writes their ratios.
import { parseArgs } from 'node:util';
import { benches } from './benches.ts';
import { measuredAt, writeLines } from './history.ts';
import type { Bench, Effort } from './line.ts';
import { countSteal } from './steal.ts';
import { type Named, tableOf } from './table.ts';

const usage = 64;
const complain = (words: string): never => {
  console.error(words);
  process.exit(usage);
};

const read = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '5' },
        waiting: { type: 'string', default: '10000' },
        to: { type: 'string', default: '.bench' },
        against: { type: 'string' },
      },
    });
  } catch {
    return complain('Usage: npm run bench -- [names] [--rounds 5] [--waiting 10000] [--to .bench] [--against commit]');
  }
};

const { values, positionals } = read();
const known: Readonly<Record<string, Bench>> = benches;
for (const name of positionals) {
  if (!Object.hasOwn(known, name)) complain(`There is no bench called ${name}. There are: ${Object.keys(known).join(', ')}.`);
}
const count = (name: 'rounds' | 'waiting') => {
  const value = Number(values[name]);
  return Number.isInteger(value) && value > 0 ? value : complain(`--${name}: must be a whole number above 0.`);
};
const effort: Effort = { rounds: count('rounds'), waiting: count('waiting'), say: (progress) => console.error(`  ${progress}`) };

const before = values.against === undefined ? undefined : measuredAt(values.to, values.against);
if (values.against !== undefined && !before) complain(`Nothing in ${values.to} was measured at ${values.against}.`);

const stolen = countSteal();
const lines: Named[] = [];
let failed = 0;
for (const bench of positionals.length > 0 ? positionals : Object.keys(known)) {
  console.error(bench);
  try {
    for (const line of await (known[bench] as Bench)(effort)) lines.push({ bench, ...line });
  } catch (fault) {
    // The others can be measured all the same.
    console.error(fault);
    failed += 1;
  }
}
const steal = stolen();
for (const line of tableOf(lines, before)) console.log(line);
console.log(`stolen from this machine meanwhile: ${(steal * 100).toFixed(1)} %`);
console.log(`written to ${writeLines(values.to, lines, effort, { at: new Date(), steal })}`);
// A bench that failed may have left something open.
process.exit(failed > 0 ? 1 : 0);
