import assert from 'node:assert/strict';
import type { Kysely } from 'kysely';
import { prepareStatement } from '../../../src/platform/database/prepared-statement.ts';
import { openSqlite } from '../../../src/platform/database/sqlite.ts';

interface Schema {
  thing: { id: string; size: number | null; kind: string };
}

interface Thing {
  readonly id: string;
  readonly size?: number | null;
}

describe('a prepared statement', () => {
  let db: Kysely<Schema>;
  let built: number;
  beforeEach(async () => {
    built = 0;
    db = openSqlite<Schema>(':memory:');
    await db.schema
      .createTable('thing')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('size', 'integer')
      .addColumn('kind', 'text')
      .execute();
  });
  afterEach(() => db.destroy());

  const adding = () =>
    prepareStatement(db, (to, { id, ...rest }: Thing) => {
      built += 1;
      return to
        .insertInto('thing')
        .values({ id, size: null, ...rest, kind: 'constant' })
        .returning('id');
    });
  const things = async () =>
    (await db.selectFrom('thing').select(['id', 'size', 'kind']).orderBy('id').execute()).map((thing) => ({ ...thing }));

  it('is built once for each set of properties, and runs with the values of each call', async () => {
    const add = adding();
    for (const thing of [{ id: 'a', size: 1 }, { id: 'b', size: null }, { id: 'c' }, { id: 'd' }]) {
      assert.equal((await add(db, thing)).rows[0]?.id, thing.id);
    }
    assert.equal(built, 2);
    assert.deepEqual(await things(), [
      { id: 'a', size: 1, kind: 'constant' },
      { id: 'b', size: null, kind: 'constant' },
      { id: 'c', size: null, kind: 'constant' },
      { id: 'd', size: null, kind: 'constant' },
    ]);
  });

  it('takes part in a transaction, and is undone with it', async () => {
    const add = adding();
    const undone = db.transaction().execute(async (transaction) => {
      await add(transaction, { id: 'a' });
      throw new Error('no more');
    });
    await assert.rejects(undone, /no more/);
    assert.deepEqual(await things(), []);
  });

  it('counts the rows that it changed', async () => {
    const add = adding();
    for (const id of ['a', 'b']) await add(db, { id });
    const grow = prepareStatement(db, (to, { size }: { readonly size: number }) => to.updateTable('thing').set({ size }));
    assert.equal((await grow(db, { size: 3 })).numAffectedRows, 2n);
  });
});
