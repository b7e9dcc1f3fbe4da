// The real process, started as npm does: with its own folder and ports, and everything it wrote.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const serviceMain = fileURLToPath(new URL('../../src/service/main.ts', import.meta.url));

/**
 * The program of a command, as `npm run` chooses it: the service's commands are in its own package. A path is a program
 * itself.
 */
const programOf = ([command, ...rest]: readonly string[]): readonly string[] => {
  if (command?.includes('/')) return [command, ...rest];
  if (command === 'service') return [serviceMain, ...rest];
  return command === 'decrypt' || command === 'service-key'
    ? [serviceMain, command, ...rest]
    : [main, ...(command ? [command] : []), ...rest];
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The addresses it printed, by label, once the last one is printed. */
  addresses(last: string): Promise<Readonly<Record<string, string>>>;
  /** Waits for its end; fails when it does not end in time. */
  ended(milliseconds?: number): Promise<Ended>;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

/** Variables that a test's process must not inherit: the settings of the person who runs the tests. */
const neutral = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);

/**
 * Starts the program of a command with these settings only. No file that it writes may exceed that many kilobytes, as
 * on a full disk.
 */
const startProcess = (args: readonly string[], settings: Readonly<Record<string, string>>, kilobytes?: number): Running => {
  return watchProcess([process.execPath, '--disable-warning=ExperimentalWarning', ...programOf(args)], settings, kilobytes);
};

/** Starts the program in this file with these settings only. */
export const startProgram = (file: string, args: readonly string[], settings: Readonly<Record<string, string>>): Running =>
  watchProcess([process.execPath, '--disable-warning=ExperimentalWarning', file, ...args], settings);

const watchProcess = (command: readonly string[], settings: Readonly<Record<string, string>>, kilobytes?: number): Running => {
  // The signal that would end the process is ignored, so that a write fails instead (setrlimit(2), RLIMIT_FSIZE).
  const limited = kilobytes === undefined ? command : ['bash', '-c', `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$@"`, 'bash', ...command];
  const [program = '', ...rest] = limited;
  const child = spawn(program, rest, {
    env: { ...neutral, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  let end: Ended | undefined;
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  // `close` rather than `exit`: by then all output has arrived.
  child.on('close', (code, signal) => {
    end = { code, signal };
  });
  const ended = (milliseconds = 60_000) => until(() => end, `the end of ${command.slice(2).join(' ')}: ${err}`, milliseconds);
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    ended,
    addresses: async (last) => {
      await until(() => end !== undefined || new RegExp(`^${last} +\\S+\\n`, 'm').test(out), `the address "${last}"`, 60_000);
      if (end) throw new Error(`it ended with ${end.code}: ${err}`);
      return Object.fromEntries(
        out
          .trim()
          .split('\n')
          .map((line) => line.split(/ {2,}/) as [string, string]),
      );
    },
    stop: async (signal) => {
      child.kill(signal);
      return ended();
    },
  };
};

export interface Workshop {
  readonly dataDir: string;
  /** Settings with free ports and the folder. */
  settings(more?: Readonly<Record<string, string>>): Promise<Record<string, string>>;
  start(args: readonly string[], settings: Readonly<Record<string, string>>, kilobytes?: number): Running;
  /** Ends running processes, and removes the folder. */
  close(): Promise<void>;
}

export const openWorkshop = (): Workshop => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-process-'));
  const started: Running[] = [];
  return {
    dataDir,
    settings: async (more = {}) => ({ DATA_DIR: dataDir, PORT: String(await freePort()), SERVICE_PORT: String(await freePort()), ...more }),
    start: (args, settings, kilobytes) => {
      const running = startProcess(args, settings, kilobytes);
      started.push(running);
      return running;
    },
    close: async () => {
      for (const { child, ended } of started) {
        child.kill('SIGKILL');
        await ended();
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};
