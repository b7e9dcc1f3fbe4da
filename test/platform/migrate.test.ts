import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration } from 'kysely/migration';
import type { Database } from '../../src/platform/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/platform/open-database.ts';
import { SettingsError } from '../../src/platform/settings-error.ts';
import { newDatabase } from '../support/postgres.ts';

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

const places = [
  {
    name: 'SQLite',
    make: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
      return { place: { file: join(folder, 'a.db'), log }, setting: 'DATA_DIR', remove: () => rmSync(folder, { recursive: true }) };
    },
  },
  {
    name: 'Postgres',
    make: async () => ({ place: { file: '', url: await newDatabase(), log }, setting: 'DATABASE_URL', remove: () => {} }),
  },
];

for (const { name, make } of places) {
  describe(`migrations on ${name}`, () => {
    let made: Awaited<ReturnType<typeof make>>;
    const open: Database<Schema>[] = [];
    const openWith = async (migrations: Record<string, Migration>) => {
      const database = await openDatabase<Schema>(made.place, () => migrations);
      open.push(database);
      return database.db;
    };
    const close = async () => {
      for (const database of open.splice(0)) await database.close();
    };
    beforeEach(async () => {
      made = await make();
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

    it('bring the database of an earlier version up to date, with what is in it', async () => {
      await (await openWith({ '0001-first': first })).insertInto('thing').values({ id: 'x' }).execute();
      await close();
      const db = await openWith({ '0001-first': first, '0002-second': second });
      assert.deepEqual({ ...(await db.selectFrom('thing').selectAll().executeTakeFirst()) }, { id: 'x', size: 7 });
    });

    it('leave nothing of one that fails, so that a mended one can follow', async () => {
      await openWith({ '0001-first': first });
      await close();
      await assert.rejects(openWith({ '0001-first': first, '0002-second': broken }), SettingsError);
      const db = await openWith({ '0001-first': first, '0002-second': second });
      assert.deepEqual(await db.selectFrom('thing').selectAll().execute(), []);
    });

    it('refuse a database that a newer version made, by the name of the setting', async () => {
      await openWith({ '0001-first': first, '0002-second': second });
      await close();
      await assert.rejects(
        openWith({ '0001-first': first }),
        (fault) =>
          fault instanceof SettingsError &&
          fault.message === `${made.setting}: the database there was made by a newer version or is damaged.`,
      );
    });
  });
}

describe('migrations of several processes at once', () => {
  it('run once', async () => {
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
