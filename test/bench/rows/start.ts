// How long a start takes, bot and reference service together, until both are ready.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { alternate } from '../alternate.ts';
import type { Bench } from '../line.ts';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const libraries = ['botbuilder', 'botbuilder-dialogs', 'restify'];

/** Milliseconds until the process prints its last address. It is stopped then. */
const untilReady = async (dataDir: string): Promise<number> => {
  const began = performance.now();
  const { PATH, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: { PATH, TMPDIR, DATA_DIR: dataDir, PORT: '0', SERVICE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'exit');
  let took: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('bot endpoint')) continue;
    took = performance.now() - began;
    child.kill('SIGTERM');
  }
  const [code, signal] = await gone;
  if (took === undefined) throw new Error(`it ended with ${signal ?? code} before it was ready; what it said stands above`);
  return took;
};

const loadingLibraries = async (): Promise<number> => {
  const began = performance.now();
  await run(process.execPath, ['-e', libraries.map((name) => `require('${name}')`).join(';')], { cwd: import.meta.dirname });
  return performance.now() - began;
};

export const start: Bench = async ({ rounds }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const medians = await alternate(rounds, { floor: loadingLibraries, ours: () => untilReady(dataDir) });
    return [{ what: 'a start of bot and service until ready, against loading the libraries', unit: 'ms', ...medians, reach: { ratio: 2 } }];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
