import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { openSqlite, scrubSqlite } from '../../../src/platform/database/sqlite.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';

interface Schema {
  thing: { id: string; value: number };
}

describe('embedded SQLite', () => {
  let folder: string;
  const open: Kysely<Schema>[] = [];
  const openHere = (name: string) => {
    const database = openSqlite<Schema>(join(folder, name));
    open.push(database);
    return database;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  });
  afterEach(async () => {
    for (const database of open.splice(0)) await database.destroy();
    rmSync(folder, { recursive: true });
  });

  it('keeps its data when it is opened again', async () => {
    const first = openHere('a.db');
    await sql`create table thing (id text primary key, value integer) strict`.execute(first);
    await first.insertInto('thing').values({ id: 'x', value: 1 }).execute();
    const changed = await first.updateTable('thing').set({ value: 2 }).where('id', '=', 'x').returning('value').execute();
    assert.deepEqual({ ...changed[0] }, { value: 2 });
    await open.splice(0)[0]?.destroy();
    const rows = await openHere('a.db').selectFrom('thing').selectAll().execute();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ id: 'x', value: 2 }],
    );
  });

  it('commits in full and in WAL mode', async () => {
    const database = openHere('a.db');
    const { rows } = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(database);
    assert.equal(rows[0]?.journal_mode, 'wal');
    const full = await sql<{ synchronous: number }>`pragma synchronous`.execute(database);
    assert.equal(full.rows[0]?.synchronous, 2);
  });

  it('keeps what its savepoints would restore in memory, before and after it is rewritten', async () => {
    const database = openHere('a.db');
    const place = async () => (await sql<{ temp_store: number }>`pragma temp_store`.execute(database)).rows[0]?.temp_store;
    assert.equal(await place(), 2);
    await scrubSqlite(database);
    assert.equal(await place(), 2);
  });

  it('refuses a file that is in use, by the name of the setting', () => {
    openHere('a.db');
    assert.throws(
      () => openHere('a.db'),
      (fault) => fault instanceof SettingsError && /^DATA_DIR: another process/.test(fault.message),
    );
  });

  describe('in a folder that everybody can read', () => {
    /** Permissions by name, of all that is there. */
    const modes = () =>
      Object.fromEntries(
        readdirSync(join(folder, 'data'))
          .sort()
          .map((name) => [name, (statSync(join(folder, 'data', name)).mode & 0o777).toString(8)]),
      );
    const ours = { 'a.db': '600', 'a.db-shm': '600', 'a.db-wal': '600', 'a.db.lock': '600', 'a.db.lock-journal': '600' };
    const folderMode = () => (statSync(join(folder, 'data')).mode & 0o777).toString(8);
    let umask: number;
    beforeEach(() => {
      umask = process.umask(0o022);
      mkdirSync(join(folder, 'data'), { mode: 0o755 });
    });
    afterEach(() => process.umask(umask));

    it('creates files that only this user can read, and leaves the folder as it is', async () => {
      await sql`create table thing (id text primary key, value integer) strict`.execute(openHere('data/a.db'));
      assert.deepEqual(modes(), ours);
      assert.equal(folderMode(), '755');
    });

    it('takes the files of an earlier version back from others', async () => {
      await sql`create table thing (id text primary key, value integer) strict`.execute(openHere('data/a.db'));
      await open.splice(0)[0]?.destroy();
      // Those that a killed process leaves are there as well.
      for (const name of Object.keys(ours)) writeFileSync(join(folder, 'data', name), '', { flag: 'a' });
      for (const name of Object.keys(ours)) chmodSync(join(folder, 'data', name), 0o644);
      await openHere('data/a.db').insertInto('thing').values({ id: 'x', value: 1 }).execute();
      assert.deepEqual(modes(), ours);
      assert.equal(folderMode(), '755');
    });
  });

  it('keeps other processes out even after this one tried to open it twice', () => {
    openHere('a.db');
    assert.throws(() => openHere('a.db'), SettingsError);
    const elsewhere = `import { openSqlite } from './src/platform/database/sqlite.ts'; openSqlite(process.argv[1]);`;
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', elsewhere, join(folder, 'a.db')];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 });
    assert.notEqual(status, 0);
    assert.match(stderr, /another process is using/);
  });

  it('refuses a folder that cannot be made', () => {
    writeFileSync(join(folder, 'file'), '');
    assert.throws(
      () => openHere('file/a.db'),
      (fault) => fault instanceof SettingsError && /cannot be opened for writing/.test(fault.message),
    );
  });
});
