// One side of a comparison in a process of its own: what it costs is its own, and what it does disturbs no other.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Memory, Word } from './side-process.ts';

export interface Side {
  /** What the module told about itself when it was open. */
  readonly told: Readonly<Record<string, unknown>>;
  readonly process: ChildProcess;
  /** The CPU time that the process has used so far, microseconds. */
  cpu(): Promise<number>;
  /** Bytes that it takes, once its garbage is collected. */
  memory(): Promise<Memory>;
  /** Bytes that the operating system has given it, as they are. */
  resident(): Promise<number>;
  /** Has it do something. @throws what it threw there, in words. */
  ask(order: string, given?: unknown): Promise<unknown>;
  /** Lets it end by itself. */
  close(): Promise<void>;
}

const script = fileURLToPath(new URL('side-process.ts', import.meta.url));
const asPackaged = new URL('as-packaged.ts', import.meta.url).href;

/**
 * Loads a module of this folder in a process of its own; see {@link import('./side-process.ts').Opened}. The answer
 * opens it.
 */
export const loadSide = async (module: string): Promise<(options?: object) => Promise<Side>> => {
  const own = module.startsWith('ours/') ? ['--import', asPackaged] : [];
  const flags = ['--disable-warning=ExperimentalWarning', '--expose-gc', ...own, ...(process.env.BENCH_PROFILE ? profiling : [])];
  const child = fork(script, [module], { execArgv: flags, serialization: 'advanced', stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const answers = new Map<number, (word: Word) => void>();
  let count = 0;
  child.on('message', (word: Word) => answers.get(word.to)?.(word));
  child.on('exit', (code, signal) => {
    for (const answer of answers.values()) answer({ to: 0, fault: `the process ended with ${signal ?? code}` });
  });
  const ask = async (order: string, given?: unknown): Promise<unknown> => {
    count += 1;
    const to = count;
    const word = await new Promise<Word>((resolve) => {
      answers.set(to, resolve);
      child.send({ to, order, given }, (fault) => {
        if (fault) resolve({ to, fault: fault.message });
      });
    });
    answers.delete(to);
    if (word.fault !== undefined) throw new Error(`${module}, ${order}: ${word.fault}`);
    return word.answer;
  };
  await ask('load');
  return async (options = {}) => ({
    told: (await ask('open', options)) as Side['told'],
    process: child,
    ask,
    cpu: () => ask('cpu') as Promise<number>,
    memory: () => ask('memory') as Promise<Memory>,
    resident: () => ask('resident') as Promise<number>,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      await ask('close');
      child.disconnect();
      await gone;
    },
  });
};

/** Loads a module and opens it. */
export const openSide = async (module: string, options: object = {}): Promise<Side> => (await loadSide(module))(options);

/** Where profiles go, for whoever wants to know where the time goes: `BENCH_PROFILE=1 npm run bench -- <name>`. */
const profiling = ['--cpu-prof', `--cpu-prof-dir=${join(tmpdir(), 'countersign-profiles')}`];

/** Opens several, uses them, and closes them whatever happens. */
export const withSides = async <Result>(open: readonly Promise<Side>[], use: (...sides: Side[]) => Promise<Result>): Promise<Result> => {
  const settled = await Promise.allSettled(open);
  const sides = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    return await use(...(await Promise.all(open)));
  } finally {
    await Promise.all(sides.map((side) => side.close()));
  }
};

/** What a unit of work costs (µs). */
export interface Cost {
  readonly cpu: number;
  readonly elapsed: number;
}

/** CPU time and time that pass per unit of work. */
export const costPerUnit = async (side: Side, units: number, work: () => Promise<unknown>): Promise<Cost> => {
  const began = performance.now();
  const cpu = await cpuPerUnit(side, units, work);
  return { cpu, elapsed: ((performance.now() - began) * 1000) / units };
};

/** CPU time (µs) that a side uses per unit of work. */
export const cpuPerUnit = async (side: Side, units: number, work: () => Promise<unknown>): Promise<number> => {
  const before = await side.cpu();
  await work();
  return ((await side.cpu()) - before) / units;
};
