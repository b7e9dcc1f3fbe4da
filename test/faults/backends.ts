// What the harness runs on: each row says how many bots share which database, and how much of the time budget it gets.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { newDatabase } from '../support/postgres.ts';

/** A run's own database, as the bots reach it and as the checker reads it. */
export interface FaultDatabase {
  /** Settings of the bots beside those that every run has. */
  readonly environment: Readonly<Record<string, string>>;
  /** The rows of a query, read beside the bots. */
  query<Row>(text: string): Promise<Row[]>;
  close(): Promise<void>;
}

export interface FaultBackend {
  readonly name: string;
  /** Bots at the same time. */
  readonly replicas: number;
  /** Deaths and network faults in the tests of every day. */
  readonly kills: number;
  readonly networkFaults: number;
  /** How long (ms) the bots wait for an outcome: longer than it takes to notice that one of them died. */
  readonly patience: number;
  open(dataDir: string): Promise<FaultDatabase>;
}

/** Reads an embedded database that another process may be writing. */
export const queryFile = async <Row>(file: string, text: string): Promise<Row[]> => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return database.prepare(text).all() as unknown as Row[];
  } finally {
    database.close();
  }
};

export const onSqlite: FaultBackend = {
  name: 'SQLite',
  replicas: 1,
  kills: 12,
  networkFaults: 20,
  patience: 9_000,
  open: async (dataDir) => ({ environment: {}, query: (text) => queryFile(join(dataDir, 'bot.db'), text), close: async () => {} }),
};

export const onPostgres: FaultBackend = {
  name: 'Postgres, three replicas',
  replicas: 3,
  kills: 6,
  networkFaults: 12,
  patience: 40_000,
  open: async () => {
    const url = await newDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    return {
      environment: { DATABASE_URL: url },
      query: async <Row>(text: string) => (await client.query(text)).rows as Row[],
      close: () => client.end(),
    };
  },
};

export const backends: readonly FaultBackend[] = [onSqlite, onPostgres];
