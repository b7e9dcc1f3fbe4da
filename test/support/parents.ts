// A program that another one starts: npm, or npx.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { delimiter, dirname } from 'node:path';
import { until } from './until.ts';

/** The longest time (ms) from a signal until nothing is left: a stop, and the moment in which it is noticed. */
const longest = 14_000;

const isTaken = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/**
 * Starts a command in a folder, waits for its line, sends a signal to the process that was started and to no other
 * (SIGINT as Ctrl-C does), and waits until the ports are free. Whatever is left is killed.
 */
export const stopsWith = async (
  signal: NodeJS.Signals,
  { command, cwd, settings, line }: { command: readonly string[]; cwd: string; settings: Readonly<Record<string, string>>; line: string },
): Promise<string> => {
  const [program = '', ...args] = command;
  const env = {
    ...{ HOME: process.env.HOME ?? '', PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
    ...{ npm_config_update_notifier: 'false', ...settings },
  };
  const child = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid = 0 } = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const ports = [settings.PORT, settings.SERVICE_PORT].map(Number);
  try {
    await until(() => said.includes(`\n${line}`), `${line} of ${command.join(' ')}: ${said}`, 60_000);
    const exited = once(child, 'exit');
    const since = Date.now();
    // A terminal sends it to every process of the command at once.
    process.kill(signal === 'SIGINT' ? -pid : pid, signal);
    await until(async () => (await Promise.all(ports.map(isTaken))).every((taken) => !taken), `free ports: ${said}`, longest);
    await exited;
    // What has the database and not the port would keep the next start from it.
    await until(() => !isAlive(-pid), 'the end of every process', longest);
    assert.ok(Date.now() - since < longest, 'it stops in time');
    return said;
  } finally {
    if (isAlive(-pid)) process.kill(-pid, 'SIGKILL');
  }
};

/** Whether a process, or a group of them by its negative number, is there. */
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
