import assert from 'node:assert/strict';
import type { Seen } from '../support/direct-line.ts';
import { type Agent, keyOf, openAgent } from '../support/mcp-agent.ts';
import { rewriteRows, withOtherDialogs } from '../support/other-version.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const mei = '+12025550102';

const states = ['bot_state', 'key', 'value'] as const;
const versions = ['flow_version', 'version', 'body'] as const;

describe('a program’s run of a flow that another version of the program began', function () {
  this.timeout(120_000);
  let whole: Whole;
  let agent: Agent;
  beforeEach(async () => {
    whole = await startWhole();
    agent = await openAgent(whole.bot().links.mcp ?? '', keyOf(whole));
  });
  afterEach(async () => {
    await agent.close();
    await whole.close();
  });
  /** Stops the bot, changes what is stored, and starts it again. */
  const rewrite = async (rows: typeof states | typeof versions, change: (value: Seen) => void) => {
    await agent.close();
    await whole.stopBot();
    rewriteRows(whole.dataDir, rows, change);
    await whole.startBot();
    agent = await openAgent(whole.bot().links.mcp ?? '', keyOf(whole));
  };
  const refusedFlow = (texts: Seen) => {
    for (const name of Object.keys(texts)) texts[name] = `flow: ${name}\ndo:\n  - gone-since: 3\n`;
  };

  it('goes on from its wait when the dialogs have changed', async () => {
    const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: 'energy-bill-november' } });
    await rewrite(states, withOtherDialogs);
    await whole.service.end(begun.requestId, 'success');
    const paying = await until(async () => {
      const view = await agent.call('status', { interactionId: begun.interactionId });
      return view.app === 'payments' && view.requestId ? view : undefined;
    });
    await whole.service.end(paying.requestId, 'success');
    assert.equal((await agent.outcome(begun.interactionId)).outcome.status, 'success');
  });

  const askedFor = async () => {
    const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei });
    await whole.service.end(begun.requestId, 'success');
    await until(async () => (await agent.call('wait', { interactionId: begun.interactionId })).needs?.kind === 'answer');
    return begun.interactionId;
  };

  for (const [what, rows, change] of [
    ['the dialogs of its question have changed', states, withOtherDialogs],
    ['its flow is refused now', versions, refusedFlow],
  ] as const)
    it(`ends as a failure that says why when ${what}`, async () => {
      const interactionId = await askedFor();
      await rewrite(rows, change);
      await agent.call('answer', { interactionId, answer: 'Fibre router' });
      const { outcome, state } = await agent.outcome(interactionId);
      assert.deepEqual([state, outcome.status, outcome.reason], ['ended', 'failure', 'outdated']);
      assert.doesNotMatch(whole.lines.join('\n'), /turn failed/);
    });

  it('delivers the outcome of its request, and ends as a failure, when its flow is refused now', async () => {
    const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: 'energy-bill-november' } });
    await rewrite(versions, refusedFlow);
    await whole.service.end(begun.requestId, 'success');
    const { outcome } = await agent.outcome(begun.interactionId);
    assert.deepEqual([outcome.status, outcome.reason], ['failure', 'outdated']);
  });
});
