// A service's database, bypassing the service: its content, and rows changed by an intruder.
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Client } from 'pg';
import type { TestService } from './running-service.ts';
import { until } from './until.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into rows whose shape they assert.
type Row = Record<string, any>;

/** SQLite's code for a database that another connection writes to. */
const busy = 5;

/**
 * Runs it on a separate connection. If the service, in this very process, is writing, it can only finish when the
 * process is not blocked, so the event loop waits instead of SQLite.
 */
const onSqlite = (file: string, text: string, values: readonly SQLInputValue[]): Promise<Row[]> =>
  until(() => {
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      return database.prepare(text).all(...values);
    } catch (fault) {
      if ((fault as { errcode?: number }).errcode === busy) return undefined;
      throw fault;
    } finally {
      database.close();
    }
  }, 'the database to be free');

/** Runs a statement with `?` for its values, and returns the rows. */
export const statement = async (
  { databaseUrl, dataDir }: Pick<TestService, 'databaseUrl' | 'dataDir'>,
  text: string,
  ...values: readonly SQLInputValue[]
): Promise<Row[]> => {
  if (databaseUrl === undefined) return onSqlite(join(dataDir, 'service.db'), text, values);
  const client = new Client({ connectionString: databaseUrl, options: '-c search_path=countersign_service' });
  await client.connect();
  try {
    let position = 0;
    return (
      await client.query(
        text.replace(/\?/g, () => `$${++position}`),
        [...values],
      )
    ).rows;
  } finally {
    await client.end();
  }
};

/** Everything that is stored, as one text. */
export const everythingIn = async (service: Pick<TestService, 'databaseUrl' | 'dataDir'>): Promise<string> => {
  const listing =
    service.databaseUrl === undefined
      ? "select name from sqlite_master where type = 'table'"
      : "select table_name as name from information_schema.tables where table_schema = 'countersign_service'";
  const tables = await statement(service, listing);
  return JSON.stringify(await Promise.all(tables.map(({ name }) => statement(service, `select * from ${name}`))));
};
