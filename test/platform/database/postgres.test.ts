import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from '../../../src/platform/database/database.ts';
import { openPostgres } from '../../../src/platform/database/postgres.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { newDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

describe('Postgres', () => {
  const lines: string[] = [];
  const options = { log: makeLog('debug', { write: (line) => void lines.push(line) }) };
  let url: string;
  let database: Database<unknown>;
  before(async () => {
    url = await newDatabase();
    database = await openPostgres(url, {}, options);
  });
  after(() => database.close());

  it('returns eight-byte integers as numbers, on our own connections only', async () => {
    const { rows } = await sql<{ big: number }>`select 1750000000000::bigint as big`.execute(database.db);
    assert.equal(rows[0]?.big, 1_750_000_000_000);
    const other = new Client({ connectionString: url });
    await other.connect();
    assert.equal((await other.query('select 7::bigint as big')).rows[0].big, '7');
    await other.end();
  });

  it('returns the time in epoch milliseconds', async () => {
    const { rows } = await sql<{ now: number }>`select ${database.now} as now`.execute(database.db);
    assert.ok(Math.abs((rows[0]?.now ?? 0) - Date.now()) < 60_000);
  });

  it('has a deadline for every statement', async () => {
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(database.db);
    assert.equal(rows[0]?.statement_timeout, '10s');
  });

  it('lets a statement wait for a connection as long as another statement may take', async function () {
    this.timeout(20_000);
    const narrow = await openPostgres(url, {}, options, 1);
    try {
      const [, { rows }] = await Promise.all([
        sql`select pg_sleep(5.5)`.execute(narrow.db),
        sql<{ one: number }>`select 1 as one`.execute(narrow.db),
      ]);
      assert.equal(rows[0]?.one, 1);
    } finally {
      await narrow.close();
    }
  });

  it('says that the database is unavailable if it gets no connection', async () => {
    const closed = await newDatabase();
    const cut = await openPostgres(closed, {}, options, 1);
    try {
      const name = sql.id(new URL(closed).pathname.slice(1));
      await sql`alter database ${name} allow_connections false`.execute(database.db);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(cut.db).catch(() => {});
      await assert.rejects(sql`select 1`.execute(cut.db), { name: 'DatabaseUnavailable', code: '55000' });
      await sql`alter database ${name} allow_connections true`.execute(database.db);
      await sql`select 1`.execute(cut.db);
    } finally {
      await cut.close();
    }
  });

  it('survives the loss of its connections', async () => {
    const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
    await Promise.all(Array.from({ length: 3 }, () => sql`select pg_sleep(0.01)`.execute(database.db)));
    await end.execute(database.db);
    await until(() => lines.some((line) => line.includes('a connection broke')));
    assert.equal((await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows[0]?.one, 1);
  });

  it('says of a statement whose connection is lost that the database is unavailable', async () => {
    const sleeping = sql`select pg_sleep(30)`.execute(database.db);
    const refused = assert.rejects(sleeping, { name: 'DatabaseUnavailable' });
    await until(async () => {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep(30)%'
        and pid <> pg_backend_pid()`.execute(database.db);
      return rows.length > 0;
    });
    await refused;
    // The pool may lend that connection once more, before its end has come.
    await until(() =>
      sql`select 1`.execute(database.db).then(
        () => true,
        () => false,
      ),
    );
    await assert.rejects(sql`select 1 / 0`.execute(database.db), { code: '22012' });
  });

  it('survives the loss of a connection in the middle of a transaction', async () => {
    const cut = database.db.transaction().execute(async (transaction) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db);
      await until(() =>
        sql`select 1`.execute(transaction).then(
          () => false,
          () => true,
        ),
      );
      await sql`select 1`.execute(transaction);
    });
    await assert.rejects(cut);
    assert.equal((await sql<{ one: number }>`select 1 as one`.execute(database.db)).rows[0]?.one, 1);
  });

  const wrong = (change: (address: URL) => void) => {
    const address = new URL(url);
    address.password = 'canary-password';
    change(address);
    return address.href;
  };
  const table: [string, () => string, RegExp][] = [
    [
      'a port where nobody answers',
      () => wrong((address) => (address.port = '1')),
      /^DATABASE_URL: the Postgres at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)\.$/,
    ],
    ['a wrong password', () => wrong(() => {}), /refuses the user or the password\.$/],
    [
      'a database that is not there',
      () => wrong((address) => Object.assign(address, { password: 'countersign', pathname: '/none' })),
      /has no database of that name\.$/,
    ],
  ];
  for (const [what, address, message] of table) {
    it(`refuses ${what}, in words, without the password`, async () => {
      await assert.rejects(openPostgres(address(), {}, options), (fault) => {
        assert.ok(fault instanceof SettingsError);
        assert.match(fault.message, message);
        assert.doesNotMatch(fault.message, /canary/);
        return true;
      });
    });
  }
});
