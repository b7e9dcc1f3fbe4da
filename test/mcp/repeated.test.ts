import assert from 'node:assert/strict';
import type { BotStateStore } from '../../src/storage/index.ts';
import { type Agent, keyOf, openAgent } from '../support/mcp-agent.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const flow = { flow: 'settle-bill', phoneNumber: '+12025550102', inputs: { product: 'energy-bill-november' } };

describe('a flow whose turn dies before it is stored', function () {
  this.timeout(60_000);
  let whole: Whole;
  let agent: Agent;
  let dies: () => boolean;
  beforeEach(async () => {
    dies = () => false;
    const mortal = (store: BotStateStore): BotStateStore => ({
      ...store,
      write: async (items, answered) => {
        if (Object.keys(items).some((key) => key.includes('programs')) || answered?.delivery.stateKey.includes('programs'))
          if (dies()) throw new Error('the process is gone');
        return store.write(items, answered);
      },
    });
    whole = await startWhole({ around: { storage: (storage) => ({ ...storage, botState: mortal(storage.botState) }) } });
    agent = await openAgent(whole.bot().links.mcp ?? '', keyOf(whole));
  });
  afterEach(async () => {
    await agent.close();
    await whole.close();
  });
  /** How many messages the customer was sent. */
  const sent = async () => ((await (await fetch(`${whole.service.baseUrl}/outbox/messages`)).text()).match(/<li\b/g) ?? []).length;

  it('sends nothing twice when the program repeats the call', async () => {
    const id = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';
    dies = () => true;
    assert.equal((await agent.refusal('start_flow', { ...flow, id })).code, 'internal_error');
    assert.equal(await until(sent, 'the message'), 1);
    dies = () => false;
    const begun = await agent.call('start_flow', { ...flow, id });
    assert.deepEqual([begun.state, begun.app], ['pending', 'passkeys']);
    assert.equal(await sent(), 1);
    await whole.service.end(begun.requestId, 'success');
    await until(async () => (await agent.call('status', { interactionId: id })).app === 'payments', 'the payment');
  });

  it('sends nothing twice when an outcome is delivered again', async () => {
    const { interactionId, requestId } = await agent.call('start_flow', flow);
    let deaths = 0;
    dies = () => {
      deaths += 1;
      return deaths === 1;
    };
    await whole.service.end(requestId, 'success');
    const paying = await until(async () => {
      const view = await agent.call('status', { interactionId });
      return view.app === 'payments' && view.requestId ? view : undefined;
    }, 'the payment');
    assert.ok(deaths > 1, `it died ${deaths} times`);
    await whole.service.settled();
    assert.equal(await sent(), 2);
    await whole.service.end(paying.requestId, 'success');
    assert.equal((await agent.outcome(interactionId)).outcome.status, 'success');
    assert.equal(await sent(), 2);
  });
});
