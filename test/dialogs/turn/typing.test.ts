import assert from 'node:assert/strict';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type ConversationUnderTest, startConversation } from '../../support/conversation-under-test.ts';
import { type FakeTime, fakeTime } from '../../support/fake-time.ts';

describe('that the bot is typing', () => {
  let test: ConversationUnderTest;
  let clock: FakeTime;
  let seen: string[];
  beforeEach(() => {
    clock = fakeTime();
    test = startConversation();
    seen = [];
    test.onActivity = ({ type = '' }) => void seen.push(type);
  });
  afterEach(() => clock.restore());

  /** Holds the answers of a call until they are let go. */
  const holds = (name: 'lookup' | 'start') => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const call = test.interactions[name] as (...given: unknown[]) => Promise<unknown>;
    Object.assign(test.interactions, {
      [name]: async (...given: unknown[]) => {
        await promise;
        return call(...given);
      },
    });
    return resolve;
  };
  const passes = async (ms: number) => {
    await turnOfTheLoop();
    await clock.time.tickAsync(ms);
    await turnOfTheLoop();
  };

  it('is not shown while nobody waits', async () => {
    await test.say('pay', '+12025550102', '1');
    await passes(10_000);
    assert.ok(
      seen.every((type) => type === 'message'),
      seen.join(),
    );
  });

  it('is shown to a customer whose look-up takes half a second, before the answer', async () => {
    const letGo = holds('lookup');
    await test.say('pay');
    const said = test.say('+12025550102');
    await passes(499);
    assert.deepEqual(seen, ['message']);
    await passes(1);
    assert.deepEqual(seen, ['message', 'typing']);
    letGo();
    await said;
    assert.deepEqual(seen, ['message', 'typing', 'message']);
  });

  it('is shown to a customer whose send takes half a second', async () => {
    const letGo = holds('start');
    await test.say('pay', '+12025550102');
    const said = test.say('1');
    await passes(500);
    letGo();
    await said;
    assert.deepEqual(seen.slice(-2), ['typing', 'message']);
    assert.equal(test.sent.length, 1);
  });

  it('may fail to be shown: what was asked for is done all the same', async () => {
    const letGo = holds('start');
    await test.say('pay', '+12025550102');
    test.onActivity = ({ type }) => {
      if (type === 'typing') throw new Error('the channel is out of order');
    };
    const said = test.say('1');
    await passes(500);
    letGo();
    assert.match(await said, /Waiting for your payment/);
  });
});
