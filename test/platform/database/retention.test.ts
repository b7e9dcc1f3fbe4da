import assert from 'node:assert/strict';
import { type Kysely, sql } from 'kysely';
import sinon from 'sinon';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { hour, keepHouse, purge } from '../../../src/platform/database/retention.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { newDatabase } from '../../support/postgres.ts';
import { databaseKinds } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

interface Schema {
  thing: { kind: string; number: number; used_at: number | null };
}

/** Two columns are the key, as in the tables of others' events. */
const first = {
  up: async (db: Kysely<unknown>) => {
    const table = db.schema.createTable('thing').addColumn('kind', 'text').addColumn('number', 'integer').addColumn('used_at', 'bigint');
    await table.addPrimaryKeyConstraint('thing_key', ['kind', 'number']).execute();
  },
};
const going = new AbortController().signal;

for (const kind of databaseKinds)
  describe(`rows past their time on ${kind}`, () => {
    let database: Database<Schema>;
    beforeEach(async () => {
      const url = kind === 'postgres' ? await newDatabase() : undefined;
      database = await openDatabase<Schema>({ file: ':memory:', url, log: makeLog('silent') }, () => ({ '0001-first': first }));
    });
    afterEach(() => database.close());
    const add = (name: string, count: number, used_at: number | null) =>
      database.db
        .insertInto('thing')
        .values(Array.from({ length: count }, (_, number) => ({ kind: name, number, used_at })))
        .execute();
    const left = async () =>
      (
        await database.db
          .selectFrom('thing')
          .select(['kind', sql<number>`count(*)`.as('count')])
          .groupBy('kind')
          .orderBy('kind')
          .execute()
      ).map((row) => [row.kind, Number(row.count)]);
    const at = (now: number) => sql<number>`${now}`;
    const rule = { table: 'thing', age: 'used_at', after: 100 };

    it('are removed, in batches, until none is left; those without an instant, or for which a condition does not hold, stay', async () => {
      await add('old', 25, 899);
      await add('young', 3, 900);
      await add('never', 3, null);
      await add('other', 3, 1);
      const removed = await purge(database, at(1000), [{ ...rule, only: "kind = 'old' or kind = 'young'", batch: 10 }], going);
      assert.deepEqual(removed, { thing: 25 });
      assert.deepEqual(await left(), [
        ['never', 3],
        ['other', 3],
        ['young', 3],
      ]);
    });

    it('are counted by table, whatever removes them', async () => {
      await add('old', 2, 1);
      const batches = [5, 5, 0];
      const step = { table: 'thing', batch: 5, remove: async () => batches.shift() ?? assert.fail('it was asked too often') };
      assert.deepEqual(await purge(database, at(1000), [step, rule], going), { thing: 12 });
    });

    it('are left alone after a stop', async () => {
      await add('old', 2, 1);
      const stop = new AbortController();
      const step = {
        table: 'other',
        batch: 1,
        remove: async () => {
          stop.abort();
          return 1;
        },
      };
      assert.deepEqual(await purge(database, at(1000), [step, rule], stop.signal), { other: 1 });
      assert.deepEqual(await left(), [['old', 2]]);
    });
  });

describe('keeping house', () => {
  let time: sinon.SinonFakeTimers;
  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => time.restore());

  it('purges at once and about every hour, says what was removed, and goes on after a failure', async () => {
    const lines: { level: string; where?: string; count?: number; msg: string }[] = [];
    const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
    const results = [{ chat: 3, answer: 0 }, new Error('no database'), { chat: 1 }];
    let calls = 0;
    const purging = async () => {
      const result = results[calls];
      calls += 1;
      if (result instanceof Error) throw result;
      return result ?? {};
    };
    const stop = new AbortController();
    const kept = keepHouse(purging, log, () => 0.25, stop.signal);
    await until(() => calls === 1, 'the first');
    for (const count of [2, 3]) {
      await time.tickAsync(0.75 * hour - 1);
      assert.equal(calls, count - 1);
      await time.tickAsync(1);
      assert.equal(calls, count);
    }
    stop.abort();
    await kept;
    assert.deepEqual(
      lines.map(({ level, where, count, msg }) => [level, where, count, msg]),
      [
        ['info', 'chat', 3, 'rows past their time were removed'],
        ['warn', lines[1]?.where, undefined, 'rows past their time could not be removed'],
        ['info', 'chat', 1, 'rows past their time were removed'],
      ],
    );
  });
});
