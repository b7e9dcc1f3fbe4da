import assert from 'node:assert/strict';
import type { Interactions } from '../../src/interactions/index.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import type { InteractionStore } from '../../src/interactions/ports.ts';
import { type InteractionsUnderTest, plan, startInteractions } from '../support/interactions-under-test.ts';
import { paymentResult } from '../support/service-samples.ts';

describe('a process among others', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  /** What the store tells of the other processes. */
  let tell: Parameters<InteractionStore['follow']>[0];
  let follows: boolean;
  beforeEach(async () => {
    test = await startInteractions();
    const store = test.storage.interactions as { -readonly [Name in keyof InteractionStore]: InteractionStore[Name] };
    store.follow = (listener) => {
      [tell, follows] = [listener, true];
      return () => {
        follows = false;
      };
    };
    life = test.make();
    await test.open(life);
    await life.start(plan);
    await test.settle();
  });
  afterEach(() => test.close());

  const watched = () => [life.watching().waiting, test.sockets.filter(({ closed }) => !closed).length];

  it('ends all its work when it loses its lease, and goes on with what it claims', async () => {
    test.deliver = async () => {
      throw new Error('the channel is down');
    };
    const { id } = await life.start({ ...plan, id: '01M7W000000000000000000002' });
    await life.cancel(id);
    await test.settle();
    await test.storage.interactions.release();
    tell.lost();
    await test.settle();
    const { length } = test.delivered;
    await test.time.tickAsync(60_000);
    assert.deepEqual([watched(), test.delivered.length], [[0, 0], length]);
    tell.free();
    await test.settle();
    assert.deepEqual([watched(), test.delivered.length], [[1, 1], length + 1]);
  });

  it('stops to watch what another has taken, and nothing else', async () => {
    for (const id of ['unknown', plan.id]) tell.taken(id);
    await test.settle();
    assert.deepEqual(watched(), [1, 1], 'it still has its claim');
    await test.storage.interactions.release();
    tell.taken(plan.id);
    await test.settle();
    assert.deepEqual(watched(), [0, 0]);
  });

  it('does not watch what it has not claimed, though it is started again here', async () => {
    await test.storage.interactions.release();
    const other = test.make();
    assert.equal((await other.start(plan)).state, 'waiting');
    assert.deepEqual(other.watching(), { waiting: 0, late: 0 });
  });

  it('claims once at a time, and once more after any number of hints, after a fault too', async () => {
    const store = test.storage.interactions as { claim: InteractionStore['claim'] };
    const { claim } = store;
    const claims: PromiseWithResolvers<Interaction[]>[] = [];
    store.claim = () => {
      const made = Promise.withResolvers<Interaction[]>();
      claims.push(made);
      return made.promise;
    };
    const hint = async (times: number) => {
      for (let time = 0; time < times; time += 1) tell.free();
      await test.settle();
      return claims.length;
    };
    assert.equal(await hint(5), 1);
    claims[0]?.reject(new Error('the disk is full'));
    assert.equal(await hint(0), 2);
    assert.equal(await hint(3), 2);
    claims[1]?.resolve([]);
    assert.equal(await hint(0), 3);
    claims[2]?.resolve([]);
    assert.equal(await hint(0), 3);
    store.claim = claim;
    assert.equal(test.lines.filter((line) => line.includes('nothing could be claimed')).length, 1);
  });

  it('claims all that is free, batch by batch', async () => {
    for (const id of ['b', 'c']) await test.storage.interactions.record({ ...plan, id, createdAt: 0, deadline: Number.MAX_SAFE_INTEGER });
    await test.storage.interactions.release();
    const store = test.storage.interactions as { claim: InteractionStore['claim'] };
    const { claim } = store;
    let left: Awaited<ReturnType<typeof claim>> = [];
    store.claim = async () => {
      left = [...left, ...(await claim())];
      return left.splice(0, 1);
    };
    tell.free();
    await test.settle();
    await test.settle();
    assert.match(test.lines.join(''), /"count":1.*unfinished interactions were claimed/);
    assert.deepEqual(
      test.delivered.map(({ id, state }) => [id, state]),
      [
        ['b', 'unknown'],
        ['c', 'unknown'],
      ],
    );
    store.claim = claim;
  });

  it('listens to the others until it closes, and claims nothing after that', async () => {
    assert.equal(follows, true);
    test.result = async () => paymentResult;
    await life.close();
    assert.equal(follows, false);
    tell.free();
    await test.settle();
    assert.deepEqual([life.watching().waiting, test.delivered], [0, []]);
  });
});
