import assert from 'node:assert/strict';
import { standStill } from '../../src/flows/testing/still-time.ts';
import { type Agent, keyOf, openAgent } from '../support/mcp-agent.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('an agent whose customer takes five minutes', function () {
  this.timeout(120_000);
  let time: ReturnType<typeof standStill>;
  let whole: Whole;
  let agent: Agent;
  before(async () => {
    time = standStill();
    whole = await time.whileIt(startWhole());
    agent = await time.whileIt(openAgent(whole.bot().links.mcp ?? '', keyOf(whole)));
  });
  after(async () => {
    await time.whileIt(agent.close());
    await time.whileIt(whole.close());
    time.restore();
  });

  it('waits in calls that its client does not time out, and gets the outcome as it happens', async () => {
    const begun = await time.whileIt(agent.call('start_payments', { phoneNumber: '+12025550102', productId: 'fibre-router' }));
    const { interactionId } = begun;
    let { cursor } = begun;
    const from = Date.now();
    const pauses: number[] = [];
    while (Date.now() - from < 300_000) {
      const asked = Date.now();
      const held = agent.call('wait', { interactionId, cursor });
      let answered = false;
      held.then(
        () => {
          answered = true;
        },
        () => {},
      );
      while (!answered && Date.now() - asked < 60_000) await time.advance(1_000);
      const view = await time.whileIt(held);
      assert.equal(view.state, 'pending');
      pauses.push(Math.round((Date.now() - asked) / 1000));
      cursor = view.cursor;
    }
    // The first is the step that is told at once; every other has lasted its fifty seconds.
    assert.ok(
      pauses.slice(1).every((seconds) => seconds >= 50 && seconds <= 52),
      pauses.join(', '),
    );
    await time.whileIt(whole.service.end(begun.requestId, 'success'));
    const ended = await time.whileIt(agent.outcome(interactionId));
    assert.equal(ended.outcome.status, 'success');
  });
});
