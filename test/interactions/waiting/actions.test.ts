import assert from 'node:assert/strict';
import { type ResendEnding, ServiceError, TransportError } from '../../../src/client/index.ts';
import type { Interactions } from '../../../src/interactions/index.ts';
import type { Interaction } from '../../../src/interactions/interaction.ts';
import type { Plan } from '../../../src/interactions/starting/start.ts';
import { type InteractionsUnderTest, plan, recordOf, startInteractions } from '../../support/interactions-under-test.ts';
import { paymentResult, requestId } from '../../support/service-samples.ts';

const passcode: Plan = {
  ...plan,
  app: 'one-time-passcode',
  request: { sessionRef: 'session-0001', customerRef: 'customer-0001', phoneNumber: '+12025550147' },
};
const renewed = '01KAH5Z0V8Q2J9XW3N4M5P6R7T';
const failing = (fault: Error) => async () => {
  throw fault;
};
const busy = failing(new ServiceError('any', 429));
const away = failing(new TransportError('any', 'timeout', { sent: true }));

describe('while an interaction waits', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  beforeEach(async () => {
    test = await startInteractions();
    life = test.make();
    await test.open(life);
  });
  afterEach(() => test.close());

  const begin = async (what: Plan): Promise<Interaction> => {
    test.send = async () =>
      what.app === 'payments' ? { requestId, wsToken: 'token-0001' } : { success: true, message: 'Sent.', requestId };
    const waiting = await life.start(what);
    await test.settle();
    return waiting;
  };
  const ended = async () => {
    await test.settle();
    return test.delivered.map(({ outcome }) => `${outcome?.status} by ${outcome?.by}`);
  };

  describe('for a passcode', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await begin(passcode));
    });
    const isWrong = (triesLeft: number) => ({ kind: 'mismatch', triesLeft });

    it('the right code is a success', async () => {
      test.isRight = async () => true;
      assert.deepEqual(await life.check(id, '123456'), { kind: 'match' });
      assert.deepEqual(await ended(), ['success by check']);
      assert.deepEqual(await life.check(id, '123456'), { kind: 'over' });
      assert.deepEqual(test.checks, [requestId]);
    });

    it('the fifth wrong code is a failure, and no more are checked', async () => {
      for (const left of [4, 3, 2, 1]) assert.deepEqual(await life.check(id, '000000'), isWrong(left));
      assert.deepEqual(await ended(), []);
      assert.deepEqual(await life.check(id, '000000'), { kind: 'dead' });
      assert.deepEqual(await ended(), ['failure by check']);
      assert.deepEqual(await life.check(id, '000000'), { kind: 'over' });
      assert.equal(test.checks.length, 5);
    });

    it('a code that cannot be checked is not counted', async () => {
      test.isRight = busy;
      assert.deepEqual(await life.check(id, '000000'), { kind: 'trouble', trouble: 'busy' });
      test.isRight = async () => false;
      assert.deepEqual(await life.check(id, '000000'), isWrong(4));
    });

    it('a wrong code comes too late if the customer cancels while it is checked', async () => {
      test.isRight = async () => {
        await life.cancel(id);
        return false;
      };
      assert.deepEqual(await life.check(id, '000000'), { kind: 'over' });
      assert.deepEqual(await ended(), ['cancelled by customer']);
    });

    it('a new code is sent if the service cannot send the request again, and tries are counted anew', async () => {
      await life.check(id, '000000');
      test.resend = async () => ({ kind: 'unsupported' });
      test.send = async () => ({ success: true, message: 'Sent.', requestId: renewed });
      assert.deepEqual(await life.resend(id), { kind: 'resent' });
      assert.equal(test.sends.length, 2);
      assert.notEqual(test.sends[1], id);
      assert.deepEqual(await life.check(id, '000000'), isWrong(4));
      assert.equal(test.checks.at(-1), renewed);
    });

    it('the old code stays valid if no new one is sent', async () => {
      test.resend = async () => ({ kind: 'unsupported' });
      test.send = async () => ({ success: false, message: 'No.' });
      assert.deepEqual(await life.resend(id), { kind: 'trouble', trouble: 'rejected' });
      await life.check(id, '000000');
      assert.deepEqual(test.checks, [requestId]);
    });

    it('a new code comes too late if the customer cancels while it is sent', async () => {
      test.resend = async () => ({ kind: 'unsupported' });
      test.send = async () => {
        await life.cancel(id);
        return { success: true, message: 'Sent.', requestId: renewed };
      };
      assert.deepEqual(await life.resend(id), { kind: 'over' });
    });
  });

  describe('for a payment', () => {
    let id: string;
    beforeEach(async () => {
      ({ id } = await begin(plan));
    });

    const unchanged: readonly (readonly [string, () => Promise<ResendEnding>, Awaited<ReturnType<Interactions['resend']>>])[] = [
      ['was sent again', async () => ({ kind: 'resent', record: { ...recordOf('pending'), expiresAt: '' } }), { kind: 'resent' }],
      ['was sent a moment ago', async () => ({ kind: 'too_soon', wait: undefined }), { kind: 'too_soon' }],
      ['cannot be sent again', async () => ({ kind: 'unsupported' }), { kind: 'unsupported' }],
      ['meets a busy service', busy, { kind: 'trouble', trouble: 'busy' }],
      ['meets no service', away, { kind: 'trouble', trouble: 'unavailable' }],
    ];
    for (const [what, resend, answer] of unchanged)
      it(`a request that ${what} waits on, and there is no second one`, async () => {
        test.resend = resend;
        assert.deepEqual(await life.resend(id), answer);
        const { requestId: kept, state, wsToken } = (await life.get(id)) as Interaction;
        assert.deepEqual([kept, state, wsToken, test.sends.length], [requestId, 'waiting', 'token-0001', 1]);
        assert.equal(test.sockets.length, 1);
      });

    it('a request that cannot be sent again because it has ended ends at once, by its result', async () => {
      test.resend = async () => ({ kind: 'already_finished' });
      test.result = async () => paymentResult;
      assert.deepEqual(await life.resend(id), { kind: 'over' });
      assert.deepEqual(await ended(), ['success by result']);
      assert.deepEqual(await life.resend(id), { kind: 'over' });
    });

    it('a request that is sent again comes too late if the customer cancels meanwhile', async () => {
      test.resend = async () => {
        await life.cancel(id);
        return { kind: 'resent', record: recordOf('pending') };
      };
      assert.deepEqual(await life.resend(id), { kind: 'over' });
      assert.deepEqual(await life.cancel(id), 'over');
      assert.deepEqual(await ended(), ['cancelled by customer']);
    });
  });
});
