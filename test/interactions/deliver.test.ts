import assert from 'node:assert/strict';
import type { Interactions } from '../../src/interactions/index.ts';
import { type Interaction, keptOf } from '../../src/interactions/interaction.ts';
import { type InteractionsUnderTest, plan, startInteractions } from '../support/interactions-under-test.ts';
import { paymentResult } from '../support/service-samples.ts';

const day = 24 * 60 * 60_000;
const busy = async () => {
  throw Object.assign(new Error('canary'), { code: 'busy' });
};
const gone = async () => {
  throw Object.assign(new Error('canary'), { code: 'gone', status: 403, final: true });
};

describe('delivering an outcome', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  let waiting: Interaction;
  beforeEach(async () => {
    test = await startInteractions();
    life = test.make();
    await test.open(life);
    waiting = await life.start(plan);
    await test.settle();
  });
  afterEach(() => test.close());

  const state = async () => (await life.get(waiting.id))?.state;
  const decide = async () => {
    test.result = async () => paymentResult;
    test.sockets.at(-1)?.onUp();
    await test.settle();
  };

  it('happens once, with the decided result, and deletes the token and the address', async () => {
    await decide();
    assert.equal(test.delivered.length, 1);
    const [told] = test.delivered as [Interaction];
    assert.equal(told.outcome?.status, 'success');
    assert.deepEqual(told.outcome?.result, keptOf(paymentResult));
    assert.equal(told.address, plan.address);
    const kept = (await life.get(waiting.id)) as Interaction;
    assert.equal(kept.state, 'delivered');
    assert.deepEqual([kept.wsToken, kept.address], [undefined, '']);
    await test.time.tickAsync(day);
    assert.equal(test.delivered.length, 1);
  });

  it('is repeated until it works, with waits from 500 ms to a minute', async () => {
    test.random = 0.999;
    test.deliver = busy;
    await decide();
    for (const wait of [499, 999, 1_998, 3_996, 7_992, 15_984, 31_968, 59_940, 59_940]) {
      const { length } = test.delivered;
      await test.time.tickAsync(wait - 1);
      assert.equal(test.delivered.length, length, `not before ${wait}`);
      await test.time.tickAsync(1);
      assert.equal(test.delivered.length, length + 1, `at ${wait}`);
    }
    assert.equal(await state(), 'decided');
    test.deliver = async () => {};
    await test.time.tickAsync(60_000);
    assert.equal(await state(), 'delivered');
    assert.match(test.lines.join(''), /"errorCode":"busy".*could not be delivered yet/);
    assert.ok(!test.lines.join('').includes('canary'));
  });

  it('is an error for the operator once several attempts have failed, and counts after a minute until it works', async () => {
    test.random = 0.999;
    test.deliver = busy;
    await decide();
    await test.time.tickAsync(15_000);
    const levels = () => test.lines.filter((line) => line.includes('could not be delivered yet')).map((line) => JSON.parse(line).level);
    assert.deepEqual(levels(), ['warn', 'warn', 'warn', 'warn', 'warn']);
    assert.equal(life.undelivered(), 0);
    await test.time.tickAsync(1_000);
    assert.deepEqual(levels().at(-1), 'error');
    await test.time.tickAsync(44_000);
    assert.equal(life.undelivered(), 0);
    await test.time.tickAsync(1_001);
    assert.equal(life.undelivered(), 1);
    test.deliver = async () => {};
    await test.time.tickAsync(60_000);
    assert.equal(life.undelivered(), 0);
  });

  it('ends if the chat is gone, and keeps the decided result', async () => {
    test.deliver = gone;
    await decide();
    assert.equal(await state(), 'undeliverable');
    assert.equal((await life.get(waiting.id))?.outcome?.status, 'success');
    assert.match(test.lines.join(''), /"level":"warn".*"errorCode":"gone".*"status":403.*undeliverable/);
    assert.doesNotMatch(test.lines.join(''), /an outcome was delivered/);
    await test.time.tickAsync(day);
    assert.equal(test.delivered.length, 1);
  });

  it('is repeated no sooner than the channel asks for', async () => {
    test.deliver = async () => {
      throw Object.assign(new Error('canary'), { code: 'busy', status: 429, retryAfter: 7_000 });
    };
    await decide();
    await test.time.tickAsync(6_999);
    assert.equal(test.delivered.length, 1);
    // And with some of the usual wait on top, so that not all come back at once.
    await test.time.tickAsync(251);
    assert.equal(test.delivered.length, 2);
  });

  it('is not repeated if only the next step fails; that is retried until it works', async () => {
    test.deliver = async (interaction) => {
      if (!interaction.delivered) await life.markDelivered(interaction);
      if (test.delivered.length < 3) await busy();
    };
    await decide();
    assert.equal(await state(), 'delivered');
    await test.time.tickAsync(10_000);
    assert.deepEqual(
      test.delivered.map(({ delivered: told }) => told),
      [false, true, true],
    );
  });

  it('does not count if the chat accepted none of its messages', async () => {
    test.deliver = async (interaction) => life.markDelivered(interaction, 'unreachable');
    await decide();
    assert.equal(await state(), 'undeliverable');
    assert.doesNotMatch(test.lines.join(''), /an outcome was delivered/);
  });

  it('gives up on a chat that could not be reached for a day', async () => {
    test.deliver = busy;
    await decide();
    await test.time.tickAsync(day - 1_000);
    assert.equal(await state(), 'decided');
    await test.time.tickAsync(61_000);
    assert.equal(await state(), 'undeliverable');
    const { length } = test.delivered;
    await test.time.tickAsync(day);
    assert.equal(test.delivered.length, length);
  });

  it('is repeated if the delivery could not be recorded', async () => {
    const store = test.storage.interactions as { apply: typeof test.storage.interactions.apply };
    const { apply } = store;
    let failures = 1;
    store.apply = async (id, transition) => {
      if (transition.kind === 'delivered' && failures-- > 0) throw new Error('the disk is full');
      return apply(id, transition);
    };
    await decide();
    assert.equal(await state(), 'decided');
    await test.time.tickAsync(500);
    // At most one repeat, which the chat's side knows by its name.
    assert.equal(test.delivered.length, 2);
    assert.equal(await state(), 'delivered');
    store.apply = apply;
  });

  it('stops in the middle of a wait, and resumes at the next start', async () => {
    test.deliver = busy;
    await decide();
    await life.close();
    const { length } = test.delivered;
    await test.time.tickAsync(day);
    assert.equal(test.delivered.length, length);
    test.deliver = async () => {};
    await test.open(test.make());
    await test.settle();
    assert.equal(await state(), 'delivered');
  });

  it('closes only when a step that is being shown has been shown', async () => {
    const other = test.make();
    let shown = () => {};
    await other.open(
      () =>
        new Promise<void>((done) => {
          shown = done;
        }),
    );
    await other.start({ ...plan, id: '01M7W000000000000000000002' });
    await test.settle();
    test.sockets.at(-1)?.tell('task.sent');
    await test.settle();
    let closed = false;
    const closing = other.close().then(() => {
      closed = true;
    });
    await test.time.tickAsync(10_000);
    assert.ok(!closed);
    shown();
    await test.time.tickAsync(0);
    await closing;
  });

  it('does not wait for other chats, even busy ones', async () => {
    const other = await life.start({ ...plan, id: '01M7W000000000000000000002', conversation: 'directline/c-2' });
    await test.settle();
    let release = () => {};
    test.deliver = ({ id }) =>
      new Promise<void>((told) => {
        if (id === other.id) told();
        else release = told;
      });
    test.result = async () => paymentResult;
    for (const { onUp } of test.sockets) onUp();
    await test.settle();
    assert.deepEqual([await state(), (await life.get(other.id))?.state], ['decided', 'delivered']);
    release();
    await test.settle();
  });
});
