import assert from 'node:assert/strict';
import fc from 'fast-check';
import { makeTurnLock, TurnLockError } from '../../../src/bot/turns/turn-lock.ts';

/** Work that ends when it is told to. */
const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
};

describe('the turn lock', () => {
  it('runs the turns of a conversation one at a time, in the order they came', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ key: fc.constantFrom('a', 'b'), steps: fc.nat(4), fails: fc.boolean() }), { maxLength: 20 }),
        async (turns) => {
          const lock = makeTurnLock();
          const running = new Map<string, number>();
          const order: number[] = [];
          await Promise.allSettled(
            turns.map(({ key, steps, fails }, index) =>
              lock.run(key, async () => {
                running.set(key, (running.get(key) ?? 0) + 1);
                assert.equal(running.get(key), 1);
                for (let step = 0; step < steps; step++) await Promise.resolve();
                order.push(index);
                running.set(key, 0);
                if (fails) throw new Error('the turn failed');
              }),
            ),
          );
          for (const key of ['a', 'b']) {
            const mine = order.filter((index) => turns[index]?.key === key);
            assert.deepEqual(
              mine,
              [...mine].sort((left, right) => left - right),
            );
          }
          assert.equal(order.length, turns.length);
          assert.equal(lock.size, 0);
        },
      ),
    );
  });

  it('answers what the work answers, and throws what it throws', async () => {
    const lock = makeTurnLock();
    assert.equal(await lock.run('a', async () => 7), 7);
    const fault = new Error('the turn failed');
    await assert.rejects(
      lock.run('a', async () => {
        throw fault;
      }),
      fault,
    );
  });

  it('lets the next one in after a fault, even one that is thrown at once', async () => {
    const lock = makeTurnLock();
    await assert.rejects(
      lock.run('a', () => {
        throw new Error('at once');
      }),
    );
    assert.equal(await lock.run('a', async () => 'in'), 'in');
  });

  it('keeps conversations apart', async () => {
    const lock = makeTurnLock();
    const { open, opened } = gate();
    const first = lock.run('a', () => opened);
    assert.equal(await lock.run('b', async () => 'done'), 'done');
    open();
    await first;
  });

  it('refuses when too many wait', async () => {
    const lock = makeTurnLock({ maxWaiting: 2 });
    const { open, opened } = gate();
    const turns = [1, 2, 3].map(() => lock.run('a', () => opened));
    await assert.rejects(
      lock.run('a', async () => assert.fail('it ran')),
      (fault) => fault instanceof TurnLockError && fault.code === 'queue_full',
    );
    open();
    await Promise.all(turns);
    assert.equal(lock.size, 0);
  });

  it('gives up waiting after a while, and skips who gave up', async () => {
    const lock = makeTurnLock({ maxWaitMs: 20 });
    const { open, opened } = gate();
    const first = lock.run('a', () => opened);
    await assert.rejects(
      lock.run('a', async () => assert.fail('it ran')),
      (fault) => fault instanceof TurnLockError && fault.code === 'wait_too_long',
    );
    open();
    await first;
    assert.equal(await lock.run('a', async () => 'in'), 'in');
    assert.equal(lock.size, 0);
  });

  it('reports when all turns have finished', async () => {
    const lock = makeTurnLock();
    assert.equal(await lock.idle(1000), true);
    const { open, opened } = gate();
    const turns = [lock.run('a', () => opened), lock.run('a', () => opened), lock.run('b', () => opened)];
    assert.equal(await lock.idle(10), false);
    const over = lock.idle(1000);
    open();
    assert.equal(await over, true);
    await Promise.all(turns);
  });
});
