import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { SettingsError } from '../../src/platform/settings-error.ts';
import { openSqlite } from '../../src/platform/sqlite.ts';

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

  it('keeps what was written when it is opened again', async () => {
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

  it('refuses a file that is in use, by the name of the setting', () => {
    openHere('a.db');
    assert.throws(
      () => openHere('a.db'),
      (fault) => fault instanceof SettingsError && /^DATA_DIR: another process/.test(fault.message),
    );
  });

  it('refuses a folder that cannot be made', () => {
    writeFileSync(join(folder, 'file'), '');
    assert.throws(
      () => openHere('file/a.db'),
      (fault) => fault instanceof SettingsError && /cannot be opened for writing/.test(fault.message),
    );
  });
});
