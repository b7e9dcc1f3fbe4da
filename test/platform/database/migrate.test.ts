import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database, DatabaseKind } from '../../../src/platform/database/database.ts';
import type { DatabaseOptions, DatabaseSetting } from '../../../src/platform/database/migrate.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { newDatabase } from '../../support/postgres.ts';
import { databaseKinds, itOnPostgres } from '../../support/tier.ts';

interface Schema {
  thing: { id: string; size?: number };
}

const log = makeLog('silent');

const first: Migration = {
  up: async (db) => {
    await db.schema
      .createTable('thing')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .execute();
  },
};
const second: Migration = {
  up: async (db) => {
    await db.schema
      .alterTable('thing')
      .addColumn('size', 'integer', (column) => column.notNull().defaultTo(7))
      .execute();
  },
};
/** Fails after its first statement worked. */
const broken: Migration = {
  up: async (db) => {
    await second.up(db);
    throw new Error('in the middle');
  },
};

const running = (statement: string): Migration => ({ up: async (db) => void (await sql.raw(statement).execute(db)) });

interface Made {
  readonly place: DatabaseOptions;
  readonly setting: DatabaseSetting;
  remove(): void;
}

const places: Readonly<Record<DatabaseKind, () => Promise<Made>>> = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    return { place: { file: join(folder, 'a.db'), log }, setting: 'DATA_DIR', remove: () => rmSync(folder, { recursive: true }) };
  },
  postgres: async () => ({ place: { file: '', url: await newDatabase(), log }, setting: 'DATABASE_URL', remove: () => {} }),
};

for (const kind of databaseKinds) {
  describe(`migrations on ${kind}`, () => {
    let made: Made;
    const open: Database<Schema>[] = [];
    const openWith = async (migrations: Record<string, Migration>) => {
      const database = await openDatabase<Schema>(made.place, () => migrations);
      open.push(database);
      return database.db;
    };
    const refuses = async (migrations: Record<string, Migration>, reason: string): Promise<SettingsError> => {
      const fault = await openWith(migrations).then(
        () => assert.fail('it was opened'),
        (fault: unknown) => fault,
      );
      assert.ok(fault instanceof SettingsError);
      assert.equal(fault.message, `${made.setting}: ${reason}`);
      return fault;
    };
    const close = async () => {
      for (const database of open.splice(0)) await database.close();
    };
    beforeEach(async () => {
      made = await places[kind]();
    });
    afterEach(async () => {
      await close();
      made.remove();
    });

    it('bring an empty database up to date, and leave it alone the next time', async () => {
      const db = await openWith({ '0001-first': first, '0002-second': second });
      await db.insertInto('thing').values({ id: 'x' }).execute();
      await close();
      const again = await openWith({ '0001-first': first, '0002-second': second });
      assert.equal((await again.selectFrom('thing').selectAll().executeTakeFirst())?.size, 7);
    });

    it('bring an earlier version’s database up to date, with its contents', async () => {
      await (await openWith({ '0001-first': first })).insertInto('thing').values({ id: 'x' }).execute();
      await close();
      const db = await openWith({ '0001-first': first, '0002-second': second });
      assert.deepEqual({ ...(await db.selectFrom('thing').selectAll().executeTakeFirst()) }, { id: 'x', size: 7 });
    });

    it('undo one that fails completely, so that a fixed one can follow', async () => {
      await openWith({ '0001-first': first });
      await close();
      await assert.rejects(openWith({ '0001-first': first, '0002-second': broken }), SettingsError);
      const db = await openWith({ '0001-first': first, '0002-second': second });
      assert.deepEqual(await db.selectFrom('thing').selectAll().execute(), []);
    });

    it('refuse a database that a newer version made, by the name of the setting', async () => {
      await openWith({ '0001-first': first, '0002-second': second });
      await close();
      await refuses({ '0001-first': first }, 'the database was created by a newer version. Start that version, or use another database.');
    });

    it('report what failed, and do not call the database newer or damaged because of it', async () => {
      const fault = await refuses(
        { '0001-first': first, '0002-second': broken },
        'its tables could not be brought up to date: in the middle.',
      );
      assert.equal((fault.cause as Error).message, 'in the middle');
    });

    it('reveal no value of a row that made one fail', async () => {
      const doubling = "insert into thing (id) values ('canary'), ('canary')";
      const stumbling = { '0001-first': first, '0002-second': running(doubling) };
      const codes = { sqlite: 'ERR_SQLITE_ERROR', postgres: '23505' };
      await refuses(stumbling, `its tables could not be brought up to date (${codes[kind]}).`);
    });
  });
}

describe('a database that fails while it is brought up to date', () => {
  const table: [string, string, RegExp][] = [
    [
      'cuts the connection',
      'select pg_terminate_backend(pg_backend_pid())',
      /^DATABASE_URL: its tables could not be brought up to date: .*connection/,
    ],
    [
      'gives the statement up',
      'set local statement_timeout = 20; select pg_sleep(5)',
      /^DATABASE_URL: .* could not be brought up to date \(57014\)\.$/,
    ],
  ];
  for (const [what, statement, message] of table) {
    itOnPostgres(`is said to have failed, not to be damaged, where it ${what}`, async () => {
      const opening = openDatabase({ file: '', url: await newDatabase(), log }, () => ({ '0001-first': running(statement) }));
      await assert.rejects(opening, { name: 'SettingsError', message });
    });
  }

  it('is reported as damaged if it is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    const file = join(folder, 'a.db');
    await (await openDatabase({ file, log }, () => ({ '0001-first': first }))).close();
    const bytes = readFileSync(file);
    // All but the first page, which says that it is a database and what is in it.
    writeFileSync(file, bytes.fill(0xff, 4096));
    const message = 'DATA_DIR: the database there is damaged. Restore a backup of it.';
    await assert.rejects(
      openDatabase({ file, log }, () => ({ '0001-first': first, '0002-second': second })),
      { message },
    );
    rmSync(folder, { recursive: true });
  });
});

describe('migrations of several processes at once', () => {
  itOnPostgres('run once', async () => {
    const place = { file: '', url: await newDatabase(), log };
    let runs = 0;
    const counted: Migration = {
      up: async (db) => {
        runs += 1;
        await first.up(db);
      },
    };
    const opened = await Promise.all(Array.from({ length: 4 }, () => openDatabase(place, () => ({ '0001-first': counted }))));
    await Promise.all(opened.map(({ close }) => close()));
    assert.equal(runs, 1);
  });
});
