import assert from 'node:assert/strict';
import type { Migration } from 'kysely/migration';
import { claimRows } from '../../src/platform/database/claim-rows.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { makeLog } from '../../src/platform/log.ts';
import {
  type Attempt,
  type ClaimedRow,
  type DueRows,
  type Failure,
  makeRetryQueue,
  type QueueParts,
} from '../../src/platform/retry-queue.ts';
import type { Scheduler } from '../../src/platform/time/scheduler.ts';
import { newDatabase } from '../support/postgres.ts';
import { makeTestTime, type TestTime } from '../support/test-time.ts';
import { databaseKinds } from '../support/tier.ts';
import { until } from '../support/until.ts';

interface Schema {
  readonly work: { readonly id: string; attempts: number; due_at: number | null; given_up: string | null };
}
type Row = ClaimedRow & { readonly id: string };

const table: Migration = {
  up: (db) =>
    db.schema
      .createTable('work')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('given_up', 'text')
      .execute(),
};

const failed = (more: Partial<Failure> = {}): Attempt => ({ code: 'http_500', ...more });

for (const kind of databaseKinds)
  describe(`rows that are due (${kind})`, () => {
    let database: Database<Schema>;
    let time: TestTime;
    let queues: Scheduler[];
    let lines: {
      readonly level: string;
      readonly msg: string;
      readonly code?: string;
      readonly attempt?: number;
      readonly error?: string;
    }[];
    let givenUp: string[];
    beforeEach(async () => {
      const url = kind === 'postgres' ? await newDatabase() : undefined;
      database = await openDatabase<Schema>({ file: ':memory:', url, log: makeLog('silent') }, () => ({ '0001': table }));
      [time, queues, lines, givenUp] = [makeTestTime(), [], [], []];
    });
    afterEach(async () => {
      await Promise.all(queues.map(({ stop }) => stop()));
      await database.close();
    });

    const log = makeLog('debug', { write: (line) => void lines.push(JSON.parse(line)) });
    const add = (...ids: readonly string[]) =>
      database.db
        .insertInto('work')
        .values(ids.map((id) => ({ id, attempts: 0, due_at: time.clock.now(), given_up: null })))
        .execute();
    const rows = async () => (await database.db.selectFrom('work').selectAll().orderBy('id').execute()).map((found) => ({ ...found }));
    const row = async () => (await rows())[0] ?? assert.fail('no row');
    const claim = async (ms: number, limit: number): Promise<Row[]> => {
      const due = database.db.selectFrom('work').select('id').where('due_at', '<=', time.clock.now()).orderBy('due_at').limit(limit);
      const claimed = await claimRows(database, 'work', 'id', due, { due_at: time.clock.now() + ms });
      return claimed.map(({ id, attempts, due_at }) => ({ id, attempts, claim: due_at as number }));
    };
    const queue = (attempt: (row: Row, signal: AbortSignal) => Promise<Attempt>, more: Partial<DueRows<Row> & QueueParts> = {}) => {
      const { db } = database;
      const parts = { clock: time.clock, alarm: time.alarm, log, shared: false, jitter: () => 0, ...more };
      const made = makeRetryQueue<Row>(parts, {
        ...{ component: 'test', claim, attempt, waits: [1000, 5000], patienceMs: 10_000, concurrency: 8 },
        messages: { failed: 'it failed', givenUp: 'it is given up' },
        nextDue: async () =>
          (await db.selectFrom('work').select('due_at').where('due_at', 'is not', null).orderBy('due_at').limit(1).executeTakeFirst())
            ?.due_at ?? undefined,
        settle: async ({ id, claim: due_at }, fate) => {
          const change =
            'done' in fate
              ? { due_at: null }
              : 'again' in fate
                ? { due_at: time.clock.now() + fate.again, attempts: fate.attempts }
                : { due_at: null, given_up: fate.givenUp, attempts: fate.attempts };
          await db.updateTable('work').set(change).where('id', '=', id).where('due_at', '=', due_at).execute();
        },
        givenUp: ({ id }) => void givenUp.push(id),
        describe: ({ id }) => ({ interaction: id }),
        ...more,
      });
      queues.push(made);
      return made;
    };
    const settled = (made: Scheduler) => time.advance(0, made.settled);
    /** An attempt that ends when its signal does. */
    const hanging = (begun: (row: Row) => void) => (row: Row, signal: AbortSignal) =>
      new Promise<Attempt>((resolve) => {
        begun(row);
        signal.addEventListener('abort', () => resolve(failed({ code: 'aborted' })));
      });

    it('are done once', async () => {
      await add('a', 'b');
      const done: string[] = [];
      const made = queue(async ({ id }) => {
        done.push(id);
        return { done: true };
      });
      made.wake(time.clock.now());
      await settled(made);
      await time.advance(60_000, made.settled);
      assert.deepEqual([done.toSorted(), lines, givenUp], [['a', 'b'], [], []]);
    });

    for (const [jitter, factor] of [
      [0, 1],
      [0.5, 1.1],
    ] as const)
      it(`are tried again after ${factor} times each wait, and then given up as an error that is counted`, async () => {
        await add('a');
        const at: number[] = [];
        const began = time.clock.now();
        const made = queue(
          async () => {
            at.push(time.clock.now() - began);
            return failed();
          },
          { jitter: () => jitter },
        );
        made.wake(began);
        await time.advance(3_600_000, made.settled);
        assert.deepEqual(at, [0, 1000 * factor, Math.round(6000 * factor)]);
        assert.deepEqual(await row(), { id: 'a', attempts: 3, due_at: null, given_up: 'http_500' });
        assert.deepEqual(givenUp, ['a']);
        assert.deepEqual(
          lines.map(({ level, msg, code, attempt }) => [level, msg, code, attempt]),
          [...[1, 2, 3].map((attempt) => ['warn', 'it failed', 'http_500', attempt]), ['error', 'it is given up', 'http_500', 3]],
        );
      });

    it('of which many failed at one instant are spread, even if the other side named the wait', async () => {
      await add('a', 'b', 'c', 'd');
      let share = 0;
      const next = () => {
        share += 0.2;
        return share;
      };
      for (const retryAfterMs of [undefined, 120_000]) {
        const made = queue(async () => failed({ retryAfterMs }), { jitter: next });
        share = 0;
        await database.db.updateTable('work').set({ due_at: time.clock.now(), attempts: 0 }).execute();
        made.wake(time.clock.now());
        await settled(made);
        await made.stop();
        const waits = (await rows()).map(({ due_at }) => (due_at ?? 0) - time.clock.now());
        assert.equal(new Set(waits).size, 4, String(waits));
        for (const wait of waits) assert.ok(wait >= (retryAfterMs ?? 1000) && wait <= (retryAfterMs ?? 1000) * 1.2, String(wait));
      }
    });

    it('are given up at once if no later attempt can succeed', async () => {
      await add('a');
      const made = queue(async () => failed({ code: 'gone', final: true }));
      made.wake(time.clock.now());
      await settled(made);
      assert.deepEqual(await row(), { id: 'a', attempts: 1, due_at: null, given_up: 'gone' });
    });

    it('are never given up if their last wait repeats', async () => {
      await add('a');
      let attempts = 0;
      const made = queue(
        async () => {
          attempts += 1;
          return failed();
        },
        { forever: true },
      );
      made.wake(time.clock.now());
      await time.advance(51_000, made.settled);
      assert.deepEqual([attempts, givenUp], [12, []]);
    });

    it('are due again without a failure, when an attempt says so', async () => {
      await add('a');
      const made = queue(async () => ({ again: 30_000, attempts: 4 }));
      made.wake(time.clock.now());
      await settled(made);
      const { attempts, due_at } = await row();
      assert.deepEqual([attempts, due_at, lines], [4, time.clock.now() + 30_000, []]);
    });

    it('have not been tried if a stop cuts them off, and are due at once', async () => {
      await add('a', 'b');
      const begun: string[] = [];
      const made = queue(hanging(({ id }) => begun.push(id)));
      made.wake(time.clock.now());
      await until(() => begun.length === 2, 'the attempts');
      await made.stop();
      const due_at = time.clock.now();
      assert.deepEqual(
        await rows(),
        ['a', 'b'].map((id) => ({ id, attempts: 0, due_at, given_up: null })),
      );
      assert.deepEqual([lines, givenUp], [[], []]);
    });

    it('wait after a stop if the other side has to settle first', async () => {
      await add('a');
      let begun = false;
      const made = queue(async (_, signal) => {
        begun = true;
        await until(() => signal.aborted, 'the stop');
        return failed({ retryAfterMs: 5000 });
      });
      made.wake(time.clock.now());
      await until(() => begun, 'the attempt');
      await made.stop();
      const { attempts, due_at } = await row();
      assert.deepEqual([attempts, due_at], [0, time.clock.now() + 5000]);
    });

    it('are not begun if the stop came while they were being claimed', async () => {
      await add('a');
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let [claimed, begun] = [false, false];
      const made = queue(
        async () => {
          begun = true;
          return { done: true };
        },
        {
          claim: async (...given) => {
            const due = await claim(...given);
            claimed = true;
            await held;
            return due;
          },
        },
      );
      made.wake(time.clock.now());
      await until(() => claimed, 'the claim');
      const stopped = made.stop();
      release();
      await stopped;
      const { attempts, due_at } = await row();
      assert.deepEqual([begun, attempts, due_at], [false, 0, time.clock.now()]);
    });

    it('are done, if an attempt succeeds although it was told to stop', async () => {
      await add('a');
      let begun = false;
      const made = queue(async (_, signal) => {
        begun = true;
        await until(() => signal.aborted, 'the stop');
        return { done: true };
      });
      made.wake(time.clock.now());
      await until(() => begun, 'the attempt');
      await made.stop();
      assert.equal((await row()).due_at, null);
    });

    for (const [when, tries] of [
      ['before', 0],
      ['during', 1],
    ] as const)
      it(`are left to another process if this one stalls ${when} the attempt until its claim has ended`, async () => {
        await add('a');
        const stall = async () => {
          await time.advance(15_000, async () => {});
          assert.equal((await claim(20_000, 1)).length, 1);
        };
        let tried = 0;
        const made = queue(
          async () => {
            tried += 1;
            if (when === 'during') await stall();
            return { done: true };
          },
          {
            monotonic: time.clock,
            claim: async (...given) => {
              const claimed = await claim(...given);
              if (when === 'before') await stall();
              return claimed;
            },
          },
        );
        made.wake(time.clock.now());
        await made.settled();
        assert.deepEqual([tried, (await row()).due_at], [tries, time.clock.now() + 20_000]);
      });

    it('are claimed by one of several that ask at once, and by another when the claim ends', async () => {
      await add('a', 'b', 'c');
      const claims = await Promise.all(Array.from({ length: 4 }, () => claim(10_000, 2)));
      const ids = claims.flat().map(({ id }) => id);
      assert.deepEqual([ids.toSorted(), new Set(ids).size], [['a', 'b', 'c'], 3]);
      await time.advance(9_999, async () => {});
      assert.deepEqual(await claim(10_000, 3), []);
      await time.advance(1, async () => {});
      assert.equal((await claim(10_000, 3)).length, 3);
    });

    it('count a fault as a failed attempt, with an error in the log', async () => {
      await add('a', 'b');
      const made = queue(async ({ id }) => {
        if (id === 'a') throw new TypeError('unforeseen');
        return { done: true };
      });
      made.wake(time.clock.now());
      await settled(made);
      const [a, b] = await rows();
      assert.deepEqual([a?.attempts, a?.due_at, b?.due_at], [1, time.clock.now() + 1000, null]);
      assert.deepEqual(
        lines.map(({ level, msg, code, error }) => [level, msg, code, error]),
        [['error', 'it failed', 'unexpected', 'TypeError']],
      );
    });

    it('that cannot be settled hold up no other, and are tried again when their claim ends', async () => {
      await add('a', 'b');
      let broken = true;
      let thrown = 0;
      const tried: string[] = [];
      const made = queue(async ({ id }) => {
        tried.push(id);
        return { done: true };
      });
      const settling = queue(
        async ({ id }) => {
          tried.push(id);
          // The other one is over by now.
          if (id === 'b') await until(() => performance.now() > thrown + 20 && thrown > 0, 'the fault');
          return { done: true };
        },
        {
          settle: async ({ id }) => {
            if (id === 'a' && broken) {
              thrown = performance.now();
              throw new Error('no database');
            }
            await database.db.updateTable('work').set({ due_at: null }).where('id', '=', id).execute();
          },
        },
      );
      settling.wake(time.clock.now());
      await settled(settling);
      assert.deepEqual(
        (await rows()).map(({ due_at }) => due_at === null),
        [false, true],
      );
      broken = false;
      await settling.stop();
      made.wake(time.clock.now());
      await time.advance(15_000, made.settled);
      assert.deepEqual(tried.toSorted(), ['a', 'a', 'b']);
    });

    it('are given up only after what has to be done before, which is repeated, but not for ever', async () => {
      await add('a');
      let tries = 0;
      const made = queue(async () => failed({ final: true }), {
        giveUp: async () => {
          tries += 1;
          throw new Error('the chat is busy');
        },
      });
      made.wake(time.clock.now());
      await time.advance(29_999, made.settled);
      assert.deepEqual([tries, (await row()).given_up], [1, null]);
      await time.advance(3_600_000, made.settled);
      assert.deepEqual([tries, (await row()).given_up, givenUp], [8, 'http_500', ['a']]);
    });
  });

describe('an attempt that does not end by itself', () => {
  it('is cut off in time, and counts', async function () {
    this.timeout(10_000);
    const time = makeTestTime();
    const fates: unknown[] = [];
    let due = true;
    const parts = { clock: time.clock, alarm: time.alarm, log: makeLog('silent'), shared: false, jitter: () => 0 };
    const made = makeRetryQueue<ClaimedRow>(parts, {
      ...{ component: 'test', waits: [1000], patienceMs: 20, concurrency: 1, messages: { failed: 'it failed', givenUp: 'it is given up' } },
      claim: async (ms) => (due ? [{ claim: time.clock.now() + ms, attempts: 0 }] : []),
      nextDue: async () => undefined,
      attempt: () => new Promise(() => {}),
      settle: async (_, fate) => {
        due = false;
        fates.push(fate);
      },
      describe: () => ({}),
    });
    made.wake(time.clock.now());
    await made.settled();
    await made.stop();
    assert.deepEqual(fates, [{ again: 1000, attempts: 1 }]);
  });
});
