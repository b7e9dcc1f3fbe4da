// The product as whoever runs it has it: real processes, started from the command line, which can be stopped and killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';

export interface Process {
  /** What it printed at its start, by label. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Sends the signal to this process alone and waits for its end: its exit code, `null` after a kill, and how long (ms) it took. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ readonly code: number | null; readonly milliseconds: number; readonly errors: string }>;
}

const root = join(import.meta.dirname, '../..');

/** How long (ms) a start and an end may take; a process that needs longer is killed. */
const patience = 60_000;

/** Ports that are free now, all different. */
export const freePorts = async (count: number): Promise<number[]> => {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  return Promise.all(
    servers.map(async (server) => {
      const { port } = server.address() as AddressInfo;
      server.close();
      await once(server, 'close');
      return port;
    }),
  );
};

/** Starts `node src/main.ts <command>` and waits until it has printed the last of its addresses. Whoever starts it ends it. */
export const startProcess = async (command: 'bot' | 'service', settings: Readonly<Record<string, string>>): Promise<Process> => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts', command], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const errors = text(child.stderr);
  const addresses: Record<string, string> = {};
  const last = command === 'bot' ? 'bot endpoint' : 'service';
  const ready = new Promise<void>((resolve) => {
    let printed = '';
    child.stdout.on('data', (part) => {
      printed += part;
      for (const [, label, address] of printed.matchAll(/^(\w+(?: \w+)*) {2,}(\S+)$/gm)) if (label && address) addresses[label] = address;
      if (addresses[last]) resolve();
    });
  });
  const end: Process['end'] = async (signal) => {
    const since = performance.now();
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const over = new AbortController();
    const late = after(patience, undefined, { signal: over.signal }).then(
      () => child.kill('SIGKILL'),
      () => {},
    );
    const [code] = await ended;
    over.abort();
    await late;
    return { code, milliseconds: performance.now() - since, errors: await errors };
  };
  const failed = Promise.race([ended, after(patience, undefined, { ref: false })]).then(async () => {
    if (!addresses[last]) throw new Error(`the ${command} did not start: ${(await end('SIGKILL')).errors}`);
  });
  await Promise.race([ready, failed]);
  failed.catch(() => {});
  return { addresses, end };
};
