import assert from 'node:assert/strict';
import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from '../../../src/platform/database/database.ts';
import { contains, countRows, erase, listOf, removeRows } from '../../../src/platform/database/erasure.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { newDatabase } from '../../support/postgres.ts';
import { databaseKinds } from '../../support/tier.ts';

interface Schema {
  parent: { id: string; said: string };
  child: { id: string; parent_id: string };
}

const first = {
  up: async (db: Kysely<unknown>) => {
    const id = () => db.schema.createTable('parent').addColumn('id', 'text', (column) => column.primaryKey());
    await id().addColumn('said', 'text').execute();
    const child = db.schema.createTable('child').addColumn('id', 'text');
    await child.addColumn('parent_id', 'text', (column) => column.references('parent.id')).execute();
  },
};

for (const kind of databaseKinds)
  describe(`rows about a customer on ${kind}`, () => {
    let database: Database<Schema>;
    beforeEach(async () => {
      const url = kind === 'postgres' ? await newDatabase() : undefined;
      database = await openDatabase<Schema>({ file: ':memory:', url, log: makeLog('silent') }, () => ({ '0001-first': first }));
      const { db } = database;
      await db
        .insertInto('parent')
        .values(['a', 'b', 'c'].map((id) => ({ id, said: `I am ${id}_%` })))
        .execute();
      await db
        .insertInto('child')
        .values(['a', 'b'].map((id) => ({ id: `of ${id}`, parent_id: id })))
        .execute();
    });
    afterEach(() => database.close());

    const isOf = (ids: readonly string[]) => [
      { table: 'parent', where: sql<SqlBool>`id in ${listOf(ids)}` },
      { table: 'child', where: sql<SqlBool>`parent_id in (select id from parent where id in ${listOf(ids)})` },
    ];
    const parents = () => database.db.selectFrom('parent').select(['id', 'said']).orderBy('id').execute();

    it('are counted, then removed, those that refer to others first', async () => {
      const removed = await erase(database, async (transaction) => {
        const counted = await countRows(transaction, isOf(['a', 'b']));
        await removeRows(transaction, isOf(['a', 'b']));
        return counted;
      });
      assert.deepEqual(removed, { parent: 2, child: 2 });
      assert.deepEqual(await countRows(database.db, isOf(['a', 'b', 'c'])), { parent: 1, child: 0 });
    });

    it('are none for an empty list', async () => {
      assert.deepEqual(await countRows(database.db, isOf([])), { parent: 0, child: 0 });
    });

    it('are kept, or emptied, where that is said', async () => {
      await erase(database, (transaction) =>
        removeRows(transaction, [
          { table: 'parent', where: sql`id = 'a'`, kept: 'said' },
          { table: 'parent', where: sql`id = 'b'`, kept: true },
        ]),
      );
      assert.deepEqual(
        (await parents()).map(({ id, said }) => [id, said]),
        [
          ['a', ''],
          ['b', 'I am b_%'],
          ['c', 'I am c_%'],
        ],
      );
    });

    it('are found by a text that may contain wildcards', async () => {
      for (const [part, count] of [
        ['a_%', 1],
        ['_%', 3],
        ['%a', 0],
      ] as const)
        assert.deepEqual(await countRows(database.db, [{ table: 'parent', where: contains(kind, sql.ref('said'), part) }]), {
          parent: count,
        });
    });

    it('stay as they are if something fails', async () => {
      const failing = erase(database, async (transaction) => {
        await removeRows(transaction, isOf(['a', 'b']));
        throw new Error('in the middle');
      });
      await assert.rejects(failing, /in the middle/);
      assert.equal((await parents()).length, 3);
    });
  });
