// A real Postgres for the tests, which ends with the process that started it, however that ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

export interface TemporaryPostgres {
  /** Its address, for several processes to share; each creates its own databases. */
  readonly address: string;
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a Postgres on a free port, with its data in a temporary folder. Fails with its message if it cannot run. */
export const startPostgres = async (): Promise<TemporaryPostgres> => {
  const script = fileURLToPath(new URL('postgres-process.ts', import.meta.url));
  // In its own process group: on Ctrl-C, the users of the database end first.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const address = await addressFrom(child);
  return {
    address,
    createDatabase: () => createDatabase(address),
    stop: async () => {
      const exited = once(child, 'exit');
      child.stdin?.end();
      await exited;
    },
  };
};

/** Its first line is its address. If there is none, the start failed. */
const addressFrom = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('the process has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('Postgres did not start; what it said stands above');
};

/** Where processes request the run's Postgres. The first request starts it. */
export const keeperVariable = 'COUNTERSIGN_TEST_POSTGRES';

let address: Promise<string> | undefined;

const addressOfRun = async (): Promise<string> => {
  const keeper = process.env[keeperVariable];
  if (!keeper)
    throw new Error('These tests want a Postgres, which only runs with the project’s mocha configuration have, and no fast one.');
  const answer = await fetch(keeper, { headers: { connection: 'close' } });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
};

/** A new, empty database in the run's Postgres. */
export const newDatabase = async (): Promise<string> => {
  address ??= addressOfRun();
  return createDatabase(await address);
};

/** Empties all tables except the record of migrations; `only`: just these tables. For databases that are not in use. */
export const emptyDatabase = async (url: string, only: Readonly<Record<string, string>> = {}): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; tablename: string }>(
    `select format('%I.%I', schemaname, tablename) as name, tablename from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and tablename not like 'kysely_%'`,
  );
  // Constraints are triggers, which do not fire in this role, so the order of the tables does not matter.
  const deletions = rows.map(({ name, tablename }) => `delete from ${name} where ${only[tablename] ?? true}`);
  await client.query(['set session_replication_role = replica', ...deletions].join(';'));
  await client.end();
};

const createDatabase = async (address: string): Promise<string> => {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const client = new Client({ connectionString: `${address}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return `${address}/${name}`;
};
