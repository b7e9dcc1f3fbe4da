// Runs a tier of the tests, or some files as that tier does: `npm run test:fast -- test/dialogs/waiting/wait.test.ts`.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failuresVariable, furtherMark, lastingVariable, type TierOfRun, tierVariable, titleOn } from './support/tier.ts';
import { filesOf, onBothDatabases, root, withFurtherCases } from './tiers.ts';

/** One start of mocha. */
interface Pass {
  readonly tier: TierOfRun;
  /** Files, named from `test/`. */
  readonly files: readonly string[];
  readonly args?: readonly string[];
}

const runs: Readonly<Record<string, readonly Pass[]>> = {
  fast: [{ tier: 'fast', files: filesOf('fast') }],
  default: [{ tier: 'default', files: [...filesOf('default'), ...filesOf('fast')] }],
  deep: [
    // Most of them wait for processes, browsers and timeouts.
    { tier: 'deep', files: filesOf('deep'), args: ['--jobs', '8'] },
    // What the default run has left out of its files.
    {
      tier: 'deep',
      files: [...new Set([...withFurtherCases(), ...onBothDatabases()])],
      args: ['--grep', [titleOn('', 'postgres'), furtherMark].map((mark) => mark.replace(/[()]/g, '\\$&')).join('|')],
    },
  ],
};

const [name = '', ...named] = process.argv.slice(2);
const passes = runs[name];
if (!passes) {
  console.error(`Usage: node test/run.ts ${Object.keys(runs).join('|')} [files]`);
  process.exit(64);
}

/**
 * Where the tests' databases are: in memory if there is room (bytes), since thousands of commits wait for the disk
 * otherwise. A process that is killed keeps what it has written there, as on a disk.
 */
const [memory, room] = ['/dev/shm', 4 * 2 ** 30] as const;
const free = () => {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize;
};
const folder = mkdtempSync(join(existsSync(memory) && free() > room ? memory : tmpdir(), 'countersign-tests-'));
// Postgres refuses to run as root, and its own user must get there.
chmodSync(folder, 0o711);
const failures = join(folder, 'failures.txt');
// Whoever interrupts a run interrupts mocha too, which is waited for: nothing must be left in memory.
process.on('SIGINT', () => {});

const run = (tier: TierOfRun, args: readonly string[]): boolean =>
  spawnSync(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: folder, [lastingVariable]: tmpdir(), [tierVariable]: tier, [failuresVariable]: failures },
  }).status === 0;

const began = performance.now();
// One file needs no process beside this one's.
const ofNamed = () =>
  run(name === 'fast' ? 'named to fast' : (name as TierOfRun), [...(named.length === 1 ? ['--no-parallel'] : []), ...named]);
const ofTier = passes.map(
  ({ tier, files, args = [] }) =>
    () =>
      run(tier, [...args, ...files.map((file) => join('test', file))]),
);
const well = (named.length > 0 ? [ofNamed] : ofTier).map((work) => work()).every(Boolean);
console.log(`${named.length > 0 ? 'These tests' : `The ${name} tests`} took ${((performance.now() - began) / 1000).toFixed(0)} s.`);
if (existsSync(failures)) console.log(`\nWhat failed:\n${readFileSync(failures, 'utf8')}`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = well ? 0 : 1;
