import assert from 'node:assert/strict';
import { type CancelEnding, ServiceError } from '../../src/client/index.ts';
import type { Interactions } from '../../src/interactions/index.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import {
  hang,
  type InteractionsUnderTest,
  outcomeTimeout,
  plan,
  recordOf,
  start,
  startInteractions,
} from '../support/interactions-under-test.ts';
import { paymentResult } from '../support/service-samples.ts';
import { itSample } from '../support/tier.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const cancelled = async (): Promise<CancelEnding> => ({ kind: 'cancelled', record: recordOf('cancelled') });
const unsupported = async (): Promise<CancelEnding> => ({ kind: 'unsupported' });
const failing = (operation: string) => async () => {
  throw new ServiceError(operation, 503);
};

describe('a wait that has ended', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  let waiting: Interaction;
  beforeEach(async () => {
    test = await startInteractions();
    life = test.make();
    await test.open(life);
    waiting = await life.start({ ...plan, subject: 'Invoice 4711' });
    await test.settle();
  });
  afterEach(() => test.close());

  const now = async () => (await test.storage.interactions.get(waiting.id)) ?? assert.fail();
  const told = () => test.delivered.map(({ state, outcome }) => `${state} ${outcome?.status ?? ''}`.trim());
  const untilDeadline = async () => {
    await test.time.tickAsync(outcomeTimeout);
    await test.settle();
  };

  it('reads the result once more after the withdrawal: a payment in the last second counts', async () => {
    test.cancel = async () => {
      test.result = async () => paymentResult;
      return { kind: 'already_finished' };
    };
    await untilDeadline();
    assert.deepEqual(told(), ['decided success']);
  });

  it('is a timeout if the service confirms the withdrawal, whether results can be read or not', async () => {
    test.result = failing('results.get');
    await untilDeadline();
    assert.deepEqual(told(), ['decided timeout']);
    assert.equal(life.watching().late, 0);
  });

  for (const [what, answer] of [
    ['is not supported', unsupported],
    ['fails', failing('requests.cancel')],
    ['comes too late', async (): Promise<CancelEnding> => ({ kind: 'already_finished' })],
  ] as const) {
    for (const [why, result] of [
      ['there is no result', async () => undefined],
      ['results cannot be read', failing('results.get')],
    ] as const) {
      it(`ends as unknown, which is reported once, if the withdrawal ${what} and ${why}`, async () => {
        test.cancel = answer;
        test.result = result;
        await untilDeadline();
        await test.time.tickAsync(10 * minute);
        assert.deepEqual(told(), ['expired']);
        assert.equal(test.delivered[0]?.subject, 'Invoice 4711');
        const { state, delivered: isTold, wsToken, address } = await now();
        assert.deepEqual([state, isTold, wsToken, address], ['unresolved', true, undefined, plan.address]);
        assert.ok(test.sockets.every(({ closed }) => closed));
        assert.deepEqual(life.watching(), { waiting: 0, late: 1 });
      });
    }
  }

  it('uses a final event that came shortly before, instead of ending as unknown', async () => {
    test.cancel = unsupported;
    test.result = failing('results.get');
    await test.time.tickAsync(outcomeTimeout - 1_000);
    test.sockets.at(-1)?.tell('task.succeeded');
    await test.time.tickAsync(6_000);
    await test.settle();
    assert.deepEqual(told(), ['decided success']);
    assert.equal((await now()).outcome?.by, 'event');
  });

  describe('with an unknown end', () => {
    beforeEach(async () => {
      test.cancel = unsupported;
      await untilDeadline();
      assert.deepEqual(told(), ['expired']);
      test.delivered.length = 0;
    });

    it('gets the result that arrives within a day, once, with its subject', async () => {
      await test.time.tickAsync(day - 20 * minute);
      assert.deepEqual(told(), []);
      test.result = async () => paymentResult;
      await test.time.tickAsync(day);
      assert.deepEqual(told(), ['decided success']);
      const [{ outcome, subject, address }] = test.delivered as [Interaction];
      assert.deepEqual([outcome?.late, subject, address], [true, 'Invoice 4711', plan.address]);
      const after = await now();
      assert.deepEqual([after.state, after.address, life.watching().late], ['delivered', '', 0]);
    });

    it('gets a result that the service had by the time it was to withdraw the request', async () => {
      test.cancel = async () => {
        test.result = async () => paymentResult;
        return { kind: 'already_finished' };
      };
      await test.time.tickAsync(minute / 2);
      await test.settle();
      assert.deepEqual([told(), test.delivered[0]?.outcome?.late], [['decided success'], true]);
    });

    it('is checked less and less often', async () => {
      const { length } = test.reads;
      await test.time.tickAsync(60 * minute);
      const first = test.reads.length - length;
      assert.ok(first >= 8 && first <= 20, `${first} reads in the first hour`);
      await test.time.tickAsync(3 * 60 * minute);
      const later = (test.reads.length - length - first) / 3;
      assert.ok(later >= 6 && later <= 12, `${later} reads in a later hour`);
    });

    it('is checked for a day, and then no more', async () => {
      await test.time.tickAsync(day - 1);
      assert.equal((await now()).state, 'unresolved');
      await test.time.tickAsync(1);
      await test.settle();
      const { state, delivered: isTold, address } = await now();
      assert.deepEqual([state, isTold, address, life.watching().late], ['unknown', true, '', 0]);
      const { length } = test.reads;
      await test.time.tickAsync(day);
      assert.deepEqual([test.reads.length, told()], [length, []]);
    });

    it('ends after a day although no result could ever be read', async () => {
      test.result = failing('results.get');
      await test.time.tickAsync(day);
      await test.settle();
      assert.equal((await now()).state, 'unknown');
    });

    it('is still checked after a restart, by the replica that resumes it, until the same deadline', async () => {
      await test.time.tickAsync(60 * minute);
      await life.close();
      const other = test.make();
      await test.open(other);
      await test.settle();
      assert.deepEqual([other.watching(), told()], [{ waiting: 0, late: 1 }, []]);
      await test.time.tickAsync(day - 60 * minute - 1);
      assert.equal((await now()).state, 'unresolved');
      test.result = async () => paymentResult;
      await test.time.tickAsync(1);
      await test.settle();
      assert.deepEqual(told(), ['decided success']);
    });

    it('is reported once even if the process ends before that', async () => {
      test.deliver = async () => {
        throw new Error('the channel is down');
      };
      test.result = async () => paymentResult;
      await test.time.tickAsync(5 * minute);
      await life.close();
      assert.equal((await now()).state, 'decided');
      test.delivered.length = 0;
      test.deliver = async () => {};
      await test.open(test.make());
      await test.settle();
      assert.deepEqual(told(), ['decided success']);
      assert.equal((await now()).outcome?.late, true);
    });

    it('stops at once on demand, even if the service hangs', async () => {
      test.result = hang;
      await test.time.tickAsync(5 * minute);
      await life.close();
      assert.equal((await now()).state, 'unresolved');
    });
  });

  it('asks once a service that cannot withdraw, and again one that failed: once confirmed, it is a timeout', async () => {
    let asked = 0;
    test.cancel = async () => {
      asked += 1;
      return unsupported();
    };
    await untilDeadline();
    await test.time.tickAsync(60 * minute);
    assert.equal(asked, 2, 'at the deadline, and by the one that looks on');
    await life.close();
    test.cancel = cancelled;
    await test.open(test.make());
    await test.time.tickAsync(10 * minute);
    assert.deepEqual(told(), ['expired', 'decided timeout']);
    assert.equal(test.delivered[1]?.outcome?.late, true);
  });

  it('reports nothing late to a chat that is gone', async () => {
    test.cancel = unsupported;
    test.deliver = async () => {
      throw Object.assign(new Error('gone'), { final: true });
    };
    await untilDeadline();
    assert.equal((await now()).state, 'undeliverable');
    assert.equal(life.watching().late, 0);
  });

  // Ten thousand read thirty results a second: each as often as one of a thousand.
  for (const many of [1_000, 10_000])
    itSample(many === 1_000)(`asks the service seldom, and four times at once at the most, as one of ${many}`, async () => {
      test.cancel = unsupported;
      await life.close();
      const { storage } = test;
      for (let index = 0; index < many; index += 1) {
        const id = `many-${String(index).padStart(5, '0')}`;
        const intent = await storage.interactions.record({ ...plan, id, createdAt: start, deadline: start + 1 });
        await storage.interactions.apply(intent, { kind: 'accepted', requestId: waiting.requestId as string });
        await storage.interactions.apply(intent, { kind: 'expired' });
        await storage.interactions.apply(intent, { kind: 'delivered' });
      }
      await storage.interactions.release();
      let [reading, most, seed] = [0, 0, 20_261_121];
      test.jitter = () => {
        seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
        return seed / 2 ** 31;
      };
      test.result = async () => {
        reading += 1;
        most = Math.max(most, reading);
        // So long that more than four would be under way at once if nobody waited.
        await new Promise((resolve) => setTimeout(resolve, 400_000 / many));
        reading -= 1;
        return undefined;
      };
      const other = test.make();
      await test.open(other);
      assert.equal(other.watching().late, many);
      await test.time.tickAsync(15 * minute);
      // By now the one that was waited for at first is late too.
      most = reading;
      await test.time.tickAsync(15 * minute);
      const { length } = test.reads;
      await test.time.tickAsync(minute);
      assert.ok(test.reads.length - length < 0.24 * many, `${test.reads.length - length} reads in a minute`);
      assert.ok(most <= 4, `${most} at a time`);
    });
});
