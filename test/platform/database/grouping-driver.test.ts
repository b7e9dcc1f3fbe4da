import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { Kysely, SqliteAdapter, SqliteDialect, sql } from 'kysely';
import { type EmbeddedConnection, GroupingDriver } from '../../../src/platform/database/grouping-driver.ts';

interface Schema {
  thing: { id: string; value: number };
  part: { thing: string };
}

describe('writes that are committed together', () => {
  let folder: string;
  let database: DatabaseSync;
  let db: Kysely<Schema>;
  /** What the database was told, apart from reads and inserts. */
  let commands: string[];
  /** Commits what is due; until then nothing is. */
  let commit: () => void;

  const open = async (wait?: (commit: () => void) => void) => {
    const connection: EmbeddedConnection = {
      get isTransaction() {
        return database.isTransaction;
      },
      close: () => database.close(),
      prepare: (text) => {
        const statement = database.prepare(text);
        const values = (given: readonly unknown[]) => given as string[];
        return {
          reader: statement.columns().length > 0,
          all: (given) => statement.all(...values(given)),
          iterate: (given) => statement.iterate(...values(given)),
          run: (given) => {
            if (!/^(?:insert|create|pragma)/i.test(text)) commands.push(text);
            return statement.run(...values(given));
          },
        };
      },
    };
    class Dialect extends SqliteDialect {
      override createAdapter() {
        return new (class extends SqliteAdapter {
          override get supportsMultipleConnections() {
            return true;
          }
        })();
      }
      override createDriver() {
        return new GroupingDriver(connection, wait);
      }
    }
    return new Kysely<Schema>({ dialect: new Dialect({ database: connection }) });
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    database = new DatabaseSync(join(folder, 'a.db'));
    database.exec(`PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON; CREATE TABLE thing (id text PRIMARY KEY, value integer NOT NULL) STRICT;
      CREATE TABLE part (thing text REFERENCES thing (id) DEFERRABLE INITIALLY DEFERRED) STRICT`);
    commands = [];
    commit = () => assert.fail('nothing was written');
    db = await open((due) => {
      commit = due;
    });
  });
  afterEach(async () => {
    await db.destroy();
    rmSync(folder, { recursive: true });
  });

  const add = (id: string, value = 1) => db.insertInto('thing').values({ id, value }).execute();
  const ids = async () => (await db.selectFrom('thing').select('id').orderBy('id').execute()).map(({ id }) => id);
  /** What is on disk, as another process would find it. */
  const kept = () => {
    const other = new DatabaseSync(join(folder, 'a.db'), { readOnly: true });
    const rows = other.prepare('SELECT id FROM thing ORDER BY id').all();
    other.close();
    return rows.map(({ id }) => id);
  };
  const part = ['savepoint part'];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const settledOf = async (work: Promise<unknown>) => {
    let settled = false;
    const note = () => {
      settled = true;
    };
    work.then(note, note);
    await turn();
    return settled;
  };

  it('wait for one commit, and report nothing before it', async () => {
    const writes = Promise.all([
      add('a'),
      add('b'),
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('thing').values({ id: 'c', value: 1 }).execute();
        await transaction.insertInto('thing').values({ id: 'd', value: 1 }).execute();
      }),
    ]);
    assert.equal(await settledOf(writes), false);
    assert.deepEqual(kept(), []);
    commit();
    await writes;
    assert.deepEqual(kept(), ['a', 'b', 'c', 'd']);
    assert.deepEqual(commands, ['begin', 'savepoint part', 'release part', 'commit']);
  });

  it('are visible to nobody before it: a read among them waits too', async () => {
    const write = add('a');
    const read = ids();
    assert.equal(await settledOf(read), false);
    commit();
    assert.deepEqual(await read, ['a']);
    await write;
    assert.equal(await settledOf(ids()), true, 'a read alone waits for nothing');
  });

  it('are independent of each other: one that fails is undone alone', async () => {
    const good = add('a');
    const twice = add('a', 2);
    const undone = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('thing').values({ id: 'b', value: 1 }).execute();
      throw new Error('no more');
    });
    const last = add('c');
    await assert.rejects(twice, /UNIQUE/);
    await assert.rejects(undone, /no more/);
    await turn();
    commit();
    await Promise.all([good, last]);
    assert.deepEqual(kept(), ['a', 'c']);
  });

  it('leave nothing of the first if that one fails, and the next ones stay', async () => {
    const undone = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('thing').values({ id: 'a', value: 1 }).execute();
      throw new Error('no more');
    });
    const next = db.transaction().execute((transaction) => transaction.insertInto('thing').values({ id: 'b', value: 1 }).execute());
    await assert.rejects(undone, /no more/);
    await turn();
    commit();
    await next;
    assert.deepEqual(kept(), ['b']);
    assert.deepEqual(commands, ['begin', ...part, 'rollback to part', 'release part', ...part, 'release part', 'commit']);
  });

  it('all fail when the commit does, and those that come after do not', async () => {
    const orphan = db.insertInto('part').values({ thing: 'nobody' }).execute();
    const other = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('thing').values({ id: 'a', value: 1 }).execute();
    });
    const read = ids();
    await turn();
    commit();
    for (const one of [orphan, other, read]) await assert.rejects(one, /FOREIGN KEY/);
    assert.deepEqual(kept(), []);
    const next = add('b');
    await turn();
    commit();
    await next;
    assert.deepEqual(kept(), ['b']);
  });

  it('all fail if the database rolls them back in the middle', async () => {
    const first = add('a');
    const held = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('thing').values({ id: 'b', value: 1 }).execute();
      await sql`insert or rollback into thing (id, value) values ('a', 2)`.execute(transaction).catch(() => {});
      await transaction.insertInto('thing').values({ id: 'c', value: 1 }).execute();
    });
    await assert.rejects(held, { code: 'transaction_lost' });
    await assert.rejects(first, /UNIQUE/);
    assert.deepEqual(kept(), []);
    const next = add('d');
    await turn();
    commit();
    await next;
    assert.deepEqual(kept(), ['d']);
  });

  it('wait for an open transaction, which stays undivided', async () => {
    let goOn: () => void = () => {};
    const slow = db.transaction().execute(async (transaction) => {
      await transaction.insertInto('thing').values({ id: 'a', value: 1 }).execute();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await transaction.insertInto('thing').values({ id: 'b', value: 1 }).execute();
    });
    await turn();
    commit();
    const later = add('c');
    assert.equal(await settledOf(later), false);
    assert.deepEqual(kept(), []);
    goOn();
    await slow;
    assert.deepEqual(kept(), ['a', 'b']);
    await turn();
    commit();
    await later;
    assert.deepEqual(kept(), ['a', 'b', 'c']);
  });

  it('are committed when the database is closed', async () => {
    const write = add('a');
    await turn();
    await db.destroy();
    await write;
    assert.deepEqual(kept(), ['a']);
  });

  it('store exactly what was reported as done, whatever fails among them', async () => {
    db = await open();
    let begun = 0;
    const step = fc.record({
      id: fc.integer({ min: 0, max: 12 }),
      how: fc.constantFrom('alone' as const, 'transaction' as const, 'refused' as const, 'given up' as const),
      pause: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        begun += 1;
        const told: string[] = [];
        const work = async ({ id, how, pause }: (typeof steps)[0]) => {
          const row = { id: `${begun}-${String(id).padStart(2, '0')}`, value: 1 };
          if (how === 'alone') await db.insertInto('thing').values(row).execute();
          else
            await db.transaction().execute(async (transaction) => {
              await transaction.insertInto('thing').values(row).execute();
              if (pause) await turn();
              if (how === 'refused') throw new Error('refused');
              if (how === 'given up') await sql`insert or rollback into thing (id, value) values (${row.id}, 2)`.execute(transaction);
            });
          told.push(row.id);
        };
        await Promise.allSettled(
          steps.map(async (one) => {
            if (one.pause) await turn();
            await work(one);
          }),
        );
        assert.deepEqual(
          kept().filter((id) => String(id).startsWith(`${begun}-`)),
          told.sort(),
        );
      }),
      { numRuns: 60 },
    );
  });
});
