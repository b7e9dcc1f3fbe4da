// A real Postgres for the tests: brought up once per run when the first suite asks, gone with the process that asked, however that ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

export interface TemporaryPostgres {
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a Postgres of its own on a free port, its data in a temporary folder. Fails, with its words, where it cannot run. */
export const startPostgres = async (): Promise<TemporaryPostgres> => {
  const script = fileURLToPath(new URL('postgres-process.ts', import.meta.url));
  // In a group of its own: a Ctrl-C is ours to pass on, after those who still use the database.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const base = await addressFrom(child);
  let count = 0;
  return {
    createDatabase: async () => {
      count += 1;
      const name = `test_${count}`;
      const client = new Client({ connectionString: `${base}/postgres` });
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return `${base}/${name}`;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.stdin?.end();
      await exited;
    },
  };
};

/** Its first line is its address; ending without one is a failure. */
const addressFrom = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('the process has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('Postgres did not start; what it said stands above');
};

let running: Promise<TemporaryPostgres> | undefined;

/** A new, empty database in the run's Postgres. To be called from a suite's hooks. */
export const newDatabase = async (): Promise<string> => {
  running ??= startPostgres();
  return (await running).createDatabase();
};

/** Stops the run's Postgres, if anybody asked for one. */
export const stopPostgres = async (): Promise<void> => {
  await (await running)?.stop();
};
