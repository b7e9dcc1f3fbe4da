import assert from 'node:assert/strict';
import sinon from 'sinon';
import { makeHoldMessages } from '../../../src/compose/bot/hold-messages.ts';
import type { Interaction } from '../../../src/interactions/index.ts';
import { makeLog } from '../../../src/platform/log.ts';

describe('a caller who waits', () => {
  let time: sinon.SinonFakeTimers;
  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => time.restore());

  const interaction = { id: 'i1', state: 'waiting' } as Interaction;
  const start = (states: { state: Interaction['state'] } = { state: 'waiting' }, tell = sinon.fake.resolves(undefined)) => {
    const holding = makeHoldMessages(async () => ({ ...interaction, ...states }), tell, makeLog('silent', { write: () => {} }));
    holding.hold(interaction);
    return { holding, tell, states };
  };

  it('hears after 20 seconds that we still wait, then less and less often', async () => {
    const { tell } = start();
    const at: number[] = [];
    for (let second = 1; second <= 900; second += 1) {
      const before = tell.callCount;
      await time.tickAsync(1000);
      if (tell.callCount > before) at.push(second);
    }
    assert.deepEqual(at, [20, 60, 150, 300]);
  });

  it('hears nothing once it has ended, nor when the bot stops', async () => {
    const over = start();
    await time.tickAsync(20_000);
    over.states.state = 'decided';
    await time.tickAsync(900_000);
    assert.equal(over.tell.callCount, 1);
    const stopped = start();
    stopped.holding.close();
    await time.tickAsync(900_000);
    assert.equal(stopped.tell.callCount, 0);
  });

  it('who has hung up causes no further attempts', async () => {
    const { tell } = start({ state: 'waiting' }, sinon.fake.rejects(new Error('gone')));
    await time.tickAsync(60_000);
    assert.equal(tell.callCount, 2);
  });
});
