// What `npm test` checks before any test: types, style and dead code, side by side on two cores. Meanwhile the tests'
// modules are compiled, once: their workers start together, and each of them would compile all of them on a machine
// where that was not done yet.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './tiers.ts';

const npmRun = (script: string) => ['npm', 'run', '-s', script] as const;
const warmUp = [process.execPath, '--disable-warning=ExperimentalWarning', join(root, 'test/support/warm-up.ts')] as const;

/** Runs a command, and prints all that it said when it is over. */
const succeeds = async ([program, ...args]: readonly [string, ...string[]]): Promise<boolean> => {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(said));
  return code === 0;
};

/** One after the other, all of them even if one fails. */
const allSucceed = async (...commands: readonly Parameters<typeof succeeds>[0][]): Promise<boolean> => {
  let well = true;
  for (const command of commands) well = (await succeeds(command)) && well;
  return well;
};

const results = await Promise.all([allSucceed(npmRun('types')), allSucceed(npmRun('lint'), npmRun('unused'), warmUp)]);
process.exitCode = results.every(Boolean) ? 0 : 1;
