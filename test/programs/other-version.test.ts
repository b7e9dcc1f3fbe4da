import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Seen } from '../support/direct-line.ts';
import { type Agent, keyOf, openAgent } from '../support/mcp-agent.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const mei = '+12025550102';

const dialogsIn = (state: Seen): Seen[] => (state?.dialogStack ?? []).flatMap((one: Seen) => [one, ...dialogsIn(one.state?.dialogs)]);

describe('a program’s run of a flow that another version of the program began', function () {
  this.timeout(120_000);
  let whole: Whole;
  let agent: Agent;
  beforeEach(async () => {
    whole = await startWhole();
    agent = await openAgent(whole.bot().mcpUrl ?? '', keyOf(whole));
  });
  afterEach(async () => {
    await agent.close();
    await whole.close();
  });
  /** Stops the bot, changes what is stored, and starts it again. */
  const rewrite = async (sql: string, change: (value: Seen) => void) => {
    await agent.close();
    await whole.stopBot();
    const db = new DatabaseSync(join(whole.dataDir, 'bot.db'));
    const [table, key, column] = sql.split(' ') as [string, string, string];
    for (const row of db.prepare(`select * from ${table}`).all() as Seen[]) {
      const value = JSON.parse(row[column]);
      change(value);
      db.prepare(`update ${table} set ${column} = ? where ${key} = ?`).run(JSON.stringify(value), row[key]);
    }
    db.close();
    await whole.startBot();
    agent = await openAgent(whole.bot().mcpUrl ?? '', keyOf(whole));
  };
  const otherDialogs = (state: Seen) => {
    for (const one of dialogsIn(state.dialogs)) if (one.version !== undefined) one.version = '1';
  };
  const refusedFlow = (texts: Seen) => {
    for (const name of Object.keys(texts)) texts[name] = `flow: ${name}\ndo:\n  - gone-since: 3\n`;
  };

  it('goes on from its wait when the dialogs have changed', async () => {
    const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: 'energy-bill-november' } });
    await rewrite('bot_state key value', otherDialogs);
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

  for (const [what, sql, change] of [
    ['the dialogs of its question have changed', 'bot_state key value', otherDialogs],
    ['its flow is refused now', 'flow_version version body', refusedFlow],
  ] as const)
    it(`ends as a failure when ${what}`, async () => {
      const interactionId = await askedFor();
      await rewrite(sql, change);
      await agent.call('answer', { interactionId, answer: 'Fibre router' });
      const { outcome, state } = await agent.outcome(interactionId);
      assert.deepEqual([state, outcome.status], ['ended', 'failure']);
      assert.doesNotMatch(whole.lines.join('\n'), /turn failed/);
    });

  it('delivers the outcome of its request, and ends as a failure, when its flow is refused now', async () => {
    const begun = await agent.call('start_flow', { flow: 'settle-bill', phoneNumber: mei, inputs: { product: 'energy-bill-november' } });
    await rewrite('flow_version version body', refusedFlow);
    await whole.service.end(begun.requestId, 'success');
    assert.equal((await agent.outcome(begun.interactionId)).outcome.status, 'failure');
  });
});
