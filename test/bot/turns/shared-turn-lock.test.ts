import assert from 'node:assert/strict';
import { ulid } from 'ulid';
import { makeSharedTurnLock } from '../../../src/bot/turns/shared-turn-lock.ts';
import { type TurnLease, type TurnLock, TurnLockError } from '../../../src/bot/turns/turn-lock.ts';
import { makeLog } from '../../../src/platform/log.ts';
import type { TurnLeases } from '../../../src/storage/chats/turn-leases.ts';
import { openStorage, type Storage } from '../../../src/storage/index.ts';
import { type FakeTime, fakeTime } from '../../support/fake-time.ts';
import { newDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';

describe('the turn lock between processes', () => {
  let storages: Storage[];
  const leasesOf = (storage: Storage | undefined) => storage?.turnLeases ?? assert.fail('no turn leases on Postgres');
  before(async () => {
    const url = await newDatabase();
    storages = await Promise.all([openStorage(undefined, { url }), openStorage(undefined, { url })]);
  });
  after(() => Promise.all(storages.map((storage) => storage.close())));

  /** A process's lock; `moved` shifts what it takes for the time, as a stall does. */
  const lockOn = (leases: TurnLeases, moved = { by: 0 }, lease = 300) =>
    makeSharedTurnLock(
      leases,
      { newId: ulid, random: Math.random, log: makeLog('silent') },
      { monotonic: { now: () => performance.now() + moved.by }, leaseMs: lease, maxWaitMs: 2_000 },
    );
  const locks = (): [TurnLock, TurnLock] => [lockOn(leasesOf(storages[0])), lockOn(leasesOf(storages[1]))];
  const gate = () => {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  };
  /** Starts a turn and waits until it runs. */
  const begin = async (lock: TurnLock, key: string) => {
    const { open, opened } = gate();
    let hold: TurnLease | undefined;
    const over = lock.run(key, async (given) => {
      hold = given;
      await opened;
    });
    await until(() => hold);
    return { open, over, hold: hold as unknown as TurnLease };
  };
  /** A holder that died: it took the turn, and nothing renews it. */
  const dead: TurnLeases['take'] = (...args) => leasesOf(storages[0]).take(...args);

  it('never runs two turns of a conversation at once, whichever process they reach', async () => {
    const both = locks();
    let running = 0;
    let done = 0;
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        both[index % 2 ? 1 : 0].run('a', async () => {
          running += 1;
          assert.equal(running, 1);
          await new Promise(setImmediate);
          running -= 1;
          done += 1;
        }),
      ),
    );
    assert.equal(done, 12);
  });

  it('keeps conversations apart, and gives a turn back however it ended', async () => {
    const [one, other] = locks();
    const first = await begin(one, 'b');
    assert.equal(await other.run('c', async () => 7), 7);
    first.open();
    await first.over;
    await assert.rejects(
      one.run('b', () => Promise.reject(new Error('the turn failed'))),
      /the turn failed/,
    );
    assert.equal(await other.run('b', async () => 'in'), 'in');
  });

  it('is held for the whole of a turn that takes longer than a lease', async () => {
    const [one, other] = locks();
    const long = await begin(one, 'd');
    const second = other.run('d', async () => performance.now());
    const end = performance.now() + 700;
    await until(() => performance.now() > end);
    await long.hold.confirm();
    const ended = performance.now();
    long.open();
    assert.ok((await second) >= ended);
    await long.over;
  });

  it('lets the next turn in when the holder has died', async () => {
    const [, other] = locks();
    assert.equal(await dead('e', 'dead', 300), true);
    const began = performance.now();
    await other.run('e', async () => assert.ok(performance.now() - began > 150));
  });

  it('gives up waiting after a while', async () => {
    const [, other] = locks();
    assert.equal(await dead('f', 'dead', 60_000), true);
    await assert.rejects(
      other.run('f', async () => assert.fail('it ran')),
      (fault) => fault instanceof TurnLockError && fault.code === 'wait_too_long',
    );
  });

  it('notices after a stall whether another process took the lock meanwhile', async () => {
    const [, other] = locks();
    const moved = { by: 0 };
    // Its renewals never come: the process stands still.
    const stalled = lockOn(
      { ...leasesOf(storages[0]), renew: (...args) => (moved.by ? leasesOf(storages[0]).renew(...args) : new Promise(() => {})) },
      moved,
    );
    const [taken, kept] = [await begin(stalled, 'g'), await begin(stalled, 'h')];
    await other.run('g', async () => {
      moved.by = 10_000;
      await assert.rejects(taken.hold.confirm(), (fault) => fault instanceof TurnLockError && fault.code === 'lost');
    });
    await kept.hold.confirm();
    for (const { open, over } of [taken, kept]) {
      open();
      await over;
    }
  });

  describe('with a fake clock', () => {
    const maxWaitMs = 2_000;
    let fake: FakeTime;
    /** Another process has the turn from now on. */
    let taken: boolean;
    let lock: TurnLock;
    beforeEach(() => {
      fake = fakeTime();
      taken = false;
      lock = makeSharedTurnLock(
        { take: async () => !taken, renew: async (holders) => new Set(holders), release: async () => {} },
        { newId: ulid, random: () => 0.5, log: makeLog('silent') },
        { monotonic: { now: () => Date.now() }, maxWaitMs },
      );
    });
    afterEach(() => fake.restore());

    /** How a turn that comes now ends, and after how long. */
    const comes = () => {
      const began = Date.now();
      const came = { code: undefined as string | undefined, after: 0 };
      lock
        .run('k', async () => assert.fail('it ran'))
        .catch((fault) => {
          came.code = fault.code;
          came.after = Date.now() - began;
        });
      return came;
    };

    it('counts the wait in this process and the wait for another one as one wait', async () => {
      const { open, opened } = gate();
      const first = lock.run('k', () => opened);
      await fake.time.tickAsync(0);
      const second = comes();
      await fake.time.tickAsync(1_500);
      taken = true;
      open();
      await first;
      await fake.time.tickAsync(2 * maxWaitMs);
      assert.equal(second.code, 'wait_too_long');
      assert.ok(second.after >= maxWaitMs && second.after <= maxWaitMs + 200, `it waited for ${second.after} ms`);
    });

    it('refuses those that still wait for another process when the time to stop is up', async () => {
      taken = true;
      const waiting = comes();
      const idle = lock.idle(500);
      await fake.time.tickAsync(600);
      assert.equal(await idle, false);
      assert.equal(waiting.code, 'stopping');
      assert.equal(lock.size, 0);
    });
  });

  it('runs nothing if the holder of the turn cannot be read', async () => {
    const lock = lockOn({ ...leasesOf(storages[0]), take: () => Promise.reject(new Error('no database')) });
    await assert.rejects(
      lock.run('i', async () => assert.fail('it ran')),
      (fault) => fault instanceof TurnLockError && fault.code === 'unavailable',
    );
  });
});
