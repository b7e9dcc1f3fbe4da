import assert from 'node:assert/strict';
import { type CancelEnding, ServiceError } from '../../src/client/index.ts';
import type { Interactions } from '../../src/interactions/index.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import { type InteractionsUnderTest, plan, recordOf, startInteractions } from '../support/interactions-under-test.ts';
import { paymentResult } from '../support/service-samples.ts';

const unsure: readonly (readonly [string, () => Promise<CancelEnding>])[] = [
  ['cannot withdraw', async () => ({ kind: 'unsupported' })],
  [
    'fails to withdraw',
    async () => {
      throw new ServiceError('requests.cancel', 503);
    },
  ],
];
const unreadable = async () => {
  throw new ServiceError('results.get', 503);
};

describe('a customer who cancels a request', () => {
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

  const told = () => test.delivered.map(({ state, outcome }) => `${state} ${outcome?.status ?? ''} ${outcome?.by ?? ''}`.trim());
  const cancel = async () => {
    const answer = await life.cancel(waiting.id);
    await test.settle();
    return answer;
  };

  it('is told that it is withdrawn if the service confirms it', async () => {
    test.result = unreadable;
    assert.equal(await cancel(), 'withdrawn');
    assert.deepEqual(told(), ['decided cancelled customer']);
  });

  for (const [what, answer] of unsure) {
    describe(`at a service that ${what}`, () => {
      beforeEach(() => {
        test.cancel = answer;
      });

      for (const result of [paymentResult, { ...paymentResult, status: 'failure' } as const]) {
        it(`is told the existing ${result.status}, known at once, and never that it is cancelled`, async () => {
          test.result = async () => {
            test.result = unreadable;
            return result;
          };
          assert.equal(await cancel(), 'over');
          assert.equal((await life.get(waiting.id))?.outcome?.status, result.status);
          assert.deepEqual(told(), [`decided ${result.status} result`]);
        });
      }

      it('is told a success whose event arrived, even if its result cannot be read', async () => {
        test.result = unreadable;
        test.sockets.at(-1)?.tell('task.succeeded');
        await test.time.tickAsync(1_000);
        assert.equal(await cancel(), 'over');
        await test.time.tickAsync(10_000);
        await test.settle();
        assert.deepEqual(told(), ['decided success event']);
      });

      it('is told that the outcome is unknown if the result cannot be read, and of the payment once it is known', async () => {
        test.result = unreadable;
        assert.equal(await cancel(), 'released');
        assert.deepEqual(told(), ['expired']);
        test.result = async () => paymentResult;
        await test.time.tickAsync(20 * 60_000);
        assert.deepEqual(told(), ['expired', 'decided success result']);
      });

      it('is released if there is no result', async () => {
        assert.equal(await cancel(), 'released');
        assert.deepEqual(told(), ['decided cancelled customer']);
        const warned = /"operation":"requests.cancel".*"status":503.*"app":"payments".*did not confirm a cancellation/;
        assert.equal(warned.test(test.lines.join('')), what.startsWith('fails'));
      });
    });
  }

  it('is told a success whose event arrived, even if the service confirms the withdrawal', async () => {
    test.cancel = async () => ({ kind: 'cancelled', record: recordOf('cancelled') });
    test.result = unreadable;
    test.sockets.at(-1)?.tell('task.succeeded');
    assert.equal(await cancel(), 'over');
    await test.time.tickAsync(10_000);
    await test.settle();
    assert.deepEqual(told(), ['decided success event']);
  });
});
