import assert from 'node:assert/strict';
import { type GetEnding, ServiceError } from '../../../src/client/index.ts';
import type { Interactions } from '../../../src/interactions/index.ts';
import type { Interaction } from '../../../src/interactions/interaction.ts';
import {
  hang,
  type InteractionsUnderTest,
  outcomeTimeout,
  plan,
  recordOf,
  startInteractions,
} from '../../support/interactions-under-test.ts';
import { paymentResult, requestId } from '../../support/service-samples.ts';

const failing = async () => {
  throw new ServiceError('results.get', 500);
};
const failed = { ...paymentResult, status: 'failure' } as const;

describe('watching an interaction', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  let waiting: Interaction;
  beforeEach(async () => {
    test = await startInteractions();
    life = test.make();
    await test.open(life);
    waiting = await life.start(plan);
    await test.settle();
    // A start asks how long its request is good.
    test.asked = 0;
  });
  afterEach(() => test.close());

  const now = () => life.get(waiting.id);
  const socket = () => test.sockets.at(-1) as (typeof test.sockets)[0];
  const outcome = async () => {
    const { status, by } = (await now())?.outcome ?? {};
    return status && `${status} by ${by}`;
  };

  it('reads the result when it is connected, and not in the moment of the send', async () => {
    assert.equal(test.reads.length, 0);
    assert.equal(socket().wsToken, 'token-0001');
    socket().onUp();
    await test.settle();
    assert.equal(test.reads.length, 1);
  });

  it('reads the result before it connects again, and once more when it is connected', async () => {
    socket().onDown('lost');
    await test.time.tickAsync(8_000);
    assert.equal(test.reads.length, 1);
    socket().onUp();
    await test.settle();
    assert.equal(test.reads.length, 2);
  });

  describe('between two attempts', () => {
    for (const [jitter, waits] of [
      [0.999, [499, 999, 1_998, 3_996, 7_992, 7_992, 7_992]],
      [0.5, [250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]],
    ] as const) {
      it(`waits ${jitter} of a ceiling that doubles from 500 ms to 8 s`, async () => {
        test.random = jitter;
        for (const wait of waits) {
          const { length } = test.sockets;
          socket().onDown('lost');
          await test.time.tickAsync(wait - 1);
          assert.equal(test.sockets.length, length, `not before ${wait}`);
          await test.time.tickAsync(1);
          assert.equal(test.sockets.length, length + 1, `at ${wait}`);
        }
      });
    }

    it('waits a random time: with a jitter of zero it reconnects at once', async () => {
      test.random = 0;
      socket().onDown('lost');
      await test.time.tickAsync(1);
      assert.equal(test.sockets.length, 2);
    });

    it('starts again with the first wait after a socket that was up for longer than 10 s', async () => {
      for (let time = 0; time < 4; time += 1) {
        socket().onDown('lost');
        await test.time.tickAsync(8_000);
      }
      const { length } = test.sockets;
      await test.time.tickAsync(11_000);
      socket().onDown('lost');
      // One more than the first: the round in which it broke counts.
      await test.time.tickAsync(500);
      assert.equal(test.sockets.length, length + 1);
    });

    it('reads the result before each attempt', async () => {
      const { length } = test.reads;
      for (let time = 0; time < 3; time += 1) {
        socket().onDown('refused_503');
        await test.time.tickAsync(15_000);
      }
      assert.equal(test.reads.length, length + 3);
    });
  });

  it('reads now and then although the socket is up: losing every push costs time only', async () => {
    socket().onUp();
    await test.settle();
    const { length } = test.reads;
    await test.time.tickAsync(60_000);
    assert.equal(test.reads.length, length + 1);
    test.result = async () => paymentResult;
    await test.time.tickAsync(60_000);
    assert.equal(await outcome(), 'success by result');
  });

  it('continues however a read ends', async () => {
    test.result = failing;
    for (let time = 0; time < 5; time += 1) {
      socket().onDown('lost');
      await test.time.tickAsync(15_000);
    }
    assert.equal((await now())?.state, 'waiting');
    assert.match(test.lines.join(''), /"operation":"results\.get","error":"ServiceError"|"status":500/);
    test.result = async () => failed;
    socket().onDown('lost');
    await test.time.tickAsync(15_000);
    assert.equal(await outcome(), 'failure by result');
  });

  describe('a final event', () => {
    it('is confirmed by the result, which may say otherwise', async () => {
      test.result = async () => failed;
      socket().tell('task.succeeded');
      await test.settle();
      assert.equal(await outcome(), 'failure by result');
    });

    it('is confirmed by a result that comes within 5 s', async () => {
      socket().tell('task.succeeded');
      await test.time.tickAsync(4_000);
      assert.equal(await outcome(), undefined);
      test.result = async () => paymentResult;
      await test.time.tickAsync(1_000);
      assert.equal(await outcome(), 'success by result');
    });

    for (const [what, result] of [
      ['is not there', async () => undefined],
      ['cannot be read', failing],
      ['never comes', hang],
    ] as const) {
      it(`counts after 5 s if the result ${what}`, async () => {
        test.result = result;
        socket().tell('task.failed');
        await test.time.tickAsync(4_999);
        assert.equal(await outcome(), undefined);
        await test.time.tickAsync(1);
        await test.settle();
        assert.equal(await outcome(), 'failure by event');
      });
    }

    it('is checked before other results that wait for their turn', async () => {
      test.send = async (key) => ({ requestId: key, wsToken: key });
      for (let index = 10; index < 50; index += 1) await life.start({ ...plan, id: `many-${index}` });
      const ends: (() => void)[] = [];
      test.result = () => new Promise((resolve) => ends.push(() => resolve(undefined)));
      const [own, ...others] = test.sockets;
      for (const other of others) other.onUp();
      await test.settle();
      assert.equal(ends.length, 32);
      own?.tell('task.succeeded');
      ends[0]?.();
      await test.settle();
      assert.equal(test.read.at(-1), requestId);
      test.result = async () => undefined;
      for (const end of ends) end();
    });

    it('that arrives a thousand times is checked once', async () => {
      const { length } = test.reads;
      for (let time = 0; time < 1_000; time += 1) socket().tell('task.succeeded');
      await test.settle();
      assert.equal(test.reads.length, length + 1);
    });

    for (const [what, payload] of [
      ['another request', { request: { id: '01KAH5Z0V8Q2J9XW3N4M5P6R7T' } }],
      ['another app', { app: 'passkeys', request: { id: requestId } }],
    ] as const) {
      it(`of ${what} decides nothing, however long the result takes`, async () => {
        socket().tell('task.succeeded', payload);
        await test.time.tickAsync(30_000);
        assert.equal(await outcome(), undefined);
        assert.match(test.lines.join(''), /"reason":"mismatch"/);
      });
    }

    for (const payload of [{}, { request: { id: requestId.toLowerCase() } }, { app: 'payments' }]) {
      it(`with no more than ${JSON.stringify(payload)} is treated as ours`, async () => {
        socket().tell('task.failed', payload);
        await test.time.tickAsync(5_000);
        await test.settle();
        assert.equal(await outcome(), 'failure by event');
      });
    }
  });

  it('reads once, and once more, however many unreadable frames come', async () => {
    const { length } = test.reads;
    for (let time = 0; time < 1_000; time += 1) socket().onMalformed?.();
    await test.settle();
    assert.equal(test.reads.length, length + 2);
  });

  it('ignores a result of another app, and says so', async () => {
    test.result = async () => ({ ...paymentResult, app: 'passkeys', action: 'authentication' }) as never;
    socket().onUp();
    await test.time.tickAsync(30_000);
    assert.equal(await outcome(), undefined);
    assert.match(test.lines.join(''), /"level":"warn".*"operation":"results.get".*"errorCode":"mismatch"/);
  });

  it('shows each step once, in any order', async () => {
    for (const type of ['task.started', 'task.sent', 'task.sent', 'task.bootstrapped', 'task.started', 'biometrics.consent'] as const) {
      socket().tell(type);
      await test.time.tickAsync(1_000);
    }
    assert.deepEqual(
      test.progress.map(({ progress }) => Object.keys(progress).length),
      [1, 2, 3],
    );
  });

  it('shows the first step at once, and of what comes within a second the latest, when it is over', async () => {
    socket().tell('task.sent');
    await test.settle();
    assert.equal(test.progress.length, 1);
    socket().tell('task.bootstrapped');
    await test.settle();
    socket().tell('task.started');
    await test.time.tickAsync(999);
    assert.equal(test.progress.length, 1);
    await test.time.tickAsync(1);
    assert.deepEqual(Object.keys(test.progress[1]?.progress ?? {}), ['sent', 'opened', 'started']);
    assert.equal(test.progress.length, 2);
  });

  it('shows no step after the end', async () => {
    socket().tell('task.sent');
    socket().tell('task.bootstrapped');
    await test.settle();
    test.result = async () => paymentResult;
    socket().tell('task.succeeded');
    await test.time.tickAsync(10_000);
    assert.equal(await outcome(), 'success by result');
    assert.equal(test.progress.length, 1);
  });

  describe('at its deadline', () => {
    it('reads a last time, and decides by what it finds', async () => {
      test.random = 0.999;
      socket().onUp();
      await test.time.tickAsync(outcomeTimeout - 1);
      const { length } = test.reads;
      test.result = async () => paymentResult;
      await test.time.tickAsync(1);
      await test.settle();
      assert.equal(test.reads.length, length + 1);
      assert.equal(await outcome(), 'success by result');
    });

    it('is a timeout if nothing is found, and not a moment before', async () => {
      await test.time.tickAsync(outcomeTimeout - 1);
      assert.equal(await outcome(), undefined);
      await test.time.tickAsync(1);
      await test.settle();
      assert.equal(await outcome(), 'timeout by deadline');
      assert.ok(socket().closed);
    });

    it('is a timeout although no result could ever be read', async () => {
      test.result = failing;
      await test.time.tickAsync(outcomeTimeout);
      await test.settle();
      assert.equal(await outcome(), 'timeout by deadline');
    });
  });

  describe('a socket that the service closed for good without a final event', () => {
    const closed = async () => {
      socket().onUp();
      await test.settle();
      socket().onDown('closed_1000');
      await test.settle();
    };

    it('ends it at once if the service says that it was withdrawn', async () => {
      test.record = async () => ({ kind: 'found', record: recordOf('cancelled') });
      await closed();
      assert.equal(await outcome(), 'cancelled by service');
      assert.equal(test.delivered.length, 1);
      assert.equal(life.watching().waiting, 0);
    });

    const others: readonly [string, () => Promise<GetEnding>][] = [
      ['is pending', async () => ({ kind: 'found', record: recordOf('pending') })],
      ['has succeeded, which only its result proves', async () => ({ kind: 'found', record: recordOf('success') })],
      ['is nothing that it tells of', async () => ({ kind: 'unsupported' })],
      [
        'is not to be known now',
        async () => {
          throw new ServiceError('requests.get', 503);
        },
      ],
    ];
    for (const [what, record] of others) {
      it(`is opened again if the request ${what}`, async () => {
        test.record = record;
        await closed();
        assert.equal(test.asked, 1);
        assert.equal((await now())?.state, 'waiting');
        test.result = async () => paymentResult;
        await test.time.tickAsync(500);
        await test.settle();
        assert.equal(await outcome(), 'success by result');
      });
    }

    it('asks nothing after a final event, which has a result, nor for a socket that was only lost', async () => {
      socket().onDown('lost');
      await test.time.tickAsync(500);
      socket().tell('task.succeeded');
      socket().onDown('closed_1000');
      await test.settle();
      assert.equal(test.asked, 0);
    });

    it('counts as cancelled by the customer if they cancel meanwhile', async () => {
      test.record = async () => ({ kind: 'found', record: recordOf('cancelled') });
      test.cancel = async () => {
        socket().onDown('closed_1000');
        await test.settle();
        return { kind: 'cancelled', record: recordOf('cancelled') };
      };
      assert.equal(await life.cancel(waiting.id), 'withdrawn');
      await test.settle();
      assert.equal(await outcome(), 'cancelled by customer');
    });
  });

  it('keeps watching when the service says that it is too late to cancel', async () => {
    test.cancel = async () => ({ kind: 'already_finished' });
    assert.equal(await life.cancel(waiting.id), 'over');
    test.result = async () => paymentResult;
    await test.time.tickAsync(60_000);
    assert.equal(await outcome(), 'success by result');
  });

  it('checks now and then whether it was withdrawn if there is no socket', async () => {
    await life.cancel(waiting.id);
    test.send = async () => ({ requestId });
    test.record = async () => ({ kind: 'found', record: recordOf('cancelled') });
    const { id } = await life.start({ ...plan, id: '01M7W000000000000000000002' });
    test.asked = 0;
    await test.time.tickAsync(30_000);
    assert.equal((await life.get(id))?.outcome?.by, 'service');
    assert.equal(test.asked, 1);
  });

  it('says since when the end is known, if an event came before the result', async () => {
    socket().onUp();
    await test.settle();
    const heardAt = test.time.now;
    socket().tell('task.succeeded');
    await test.time.tickAsync(2_000);
    test.result = async () => paymentResult;
    await test.time.tickAsync(5_000);
    const decided = (await now())?.outcome;
    assert.equal(decided?.heardAt, heardAt);
    assert.ok((decided?.at ?? 0) > heardAt, 'the result was read later');
  });

  it('decides once, whatever arrives at the same time, and then stops', async () => {
    test.result = async () => paymentResult;
    socket().onUp();
    socket().tell('task.failed');
    socket().tell('task.timed_out');
    await Promise.all([life.cancel(waiting.id), test.settle()]);
    await test.settle();
    const first = await outcome();
    await test.time.tickAsync(outcomeTimeout);
    assert.equal(await outcome(), first);
    assert.equal(test.delivered.length, 1);
    assert.equal(life.watching().waiting, 0);
    assert.ok(test.sockets.every(({ closed }) => closed));
  });

  it('asks the store again if a decision could not be saved', async () => {
    const { apply } = test.storage.interactions;
    let times = 0;
    const store = test.storage.interactions as { apply: typeof apply };
    store.apply = async (...given) => {
      times += 1;
      if (times < 3) throw new Error('the disk is full');
      return apply(...given);
    };
    try {
      const other = test.make();
      await test.open(other);
      test.result = async () => paymentResult;
      await test.time.tickAsync(300_000);
      assert.equal(await outcome(), 'success by result');
      assert.ok(times >= 3);
    } finally {
      store.apply = apply;
    }
  });

  it('stops when it is told to, with nothing lost', async () => {
    socket().onUp();
    const closing = life.close();
    await test.settle();
    await closing;
    assert.ok(socket().closed);
    assert.equal((await now())?.state, 'waiting');
    const { length } = test.reads;
    await test.time.tickAsync(outcomeTimeout);
    assert.equal(test.reads.length, length);
  });
});
