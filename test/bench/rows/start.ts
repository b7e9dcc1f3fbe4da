// How long a start takes, bot and reference service together, until both are ready.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { alternate } from '../alternate.ts';
import { loadingLibraries } from '../floors/libraries.ts';
import type { Bench, Line } from '../line.ts';
import { median } from '../numbers.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
/** What `npm run build` makes, and the same of the service, without which it does not start one. */
const packaged = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const packagedService = fileURLToPath(new URL('../../../src/service/dist/index.js', import.meta.url));

interface Start {
  /** The program: from sources, or as the package has it. */
  readonly program: string;
  readonly dataDir: string;
  /** Whether compiled code may be kept between starts. */
  readonly compiles: boolean;
  /** How long (ms) it is left alone before its memory is measured. */
  readonly rest?: number;
}

/** Milliseconds until the process prints its last address, and the bytes that it then has. It is stopped then. */
const untilReady = async ({ program, dataDir, compiles, rest }: Start): Promise<{ took: number; bytes: number }> => {
  const began = performance.now();
  const { PATH, TMPDIR } = process.env;
  const cache = compiles ? {} : { NODE_DISABLE_COMPILE_CACHE: '1' };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { PATH, TMPDIR, DATA_DIR: dataDir, PORT: '0', SERVICE_PORT: '0', ...cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let took: number | undefined;
  let bytes = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('bot endpoint')) continue;
    took = performance.now() - began;
    if (rest !== undefined) await pause(rest);
    bytes = residentOf(child.pid as number);
    child.kill('SIGTERM');
  }
  const [code, signal] = await gone;
  if (took === undefined) throw new Error(`it ended with ${signal ?? code} before it was ready; what it said stands above`);
  return { took, bytes };
};

/** Milliseconds in which a process loads the same libraries. */
const loading = (program: string) => async (): Promise<number> => {
  const code = loadingLibraries(program === packaged);
  const began = performance.now();
  await run(process.execPath, ['--disable-warning=DEP0040', '-e', code], {
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  return performance.now() - began;
};

/** Bytes of a process that the operating system has given it (proc_pid_status(5)); 0 where nobody says. */
const residentOf = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** How long (ms) it is left alone before its memory is measured. */
const rest = 15_000;

/** The ways to start: what they are called, the program, and whether compiled code is kept. */
const ways = [
  { what: 'from sources', program: main, compiles: false },
  { what: 'as the package, with nothing kept', program: packaged, compiles: false },
  { what: 'as the package', program: packaged, compiles: true },
] as const;

export const start: Bench = async ({ rounds, say }) => {
  const lines: Line[] = [];
  for (const { what, program, compiles } of ways) {
    if (program === packaged && !(existsSync(packaged) && existsSync(packagedService))) {
      say(`${what}: not measured; npm run build and npm run prepack -w src/service make what it takes`);
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
    const dataDir = join(folder, 'data');
    try {
      const bytes: number[] = [];
      let first: number | undefined;
      const measure = async () => {
        const ready = await untilReady({ program, dataDir, compiles });
        first ??= ready.took;
        bytes.push(ready.bytes);
        return ready.took;
      };
      // Kept from the second start on, since there is no folder before the first.
      if (compiles) for (let time = 0; time < 2; time += 1) await measure();
      const reach = program === packaged ? { ratio: 1.2 } : { ratio: 2 };
      const medians = await alternate(rounds, { floor: loading(program), ours: measure });
      const idle = await untilReady({ program, dataDir, compiles, rest });
      const start = `a start of bot and service ${what}`;
      lines.push(
        { what: `${start}, against loading the libraries`, unit: 'ms', ...medians, reach },
        { what: `the first ${start.slice(2)}, with nothing there yet`, unit: 'ms', ours: first ?? 0 },
        { what: `memory right after ${start}`, unit: 'MB', ours: median(bytes) / 2 ** 20 },
        { what: `memory ${rest / 1000} s after ${start}`, unit: 'MB', ours: idle.bytes / 2 ** 20, reach: { most: 230 } },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return lines;
};
