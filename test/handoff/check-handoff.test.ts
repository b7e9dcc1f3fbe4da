import assert from 'node:assert/strict';
import { readSettings } from '../../src/compose/start/settings.ts';
import { checkHandoff } from '../../src/handoff/check-handoff.ts';

const lineOn = async (hubs: string) => {
  const webhook = { HANDOFF_WEBHOOK_URL: 'http://127.0.0.1:1/', HANDOFF_WEBHOOK_SECRET: `whsec_${'A'.repeat(32)}` };
  const [[check, finding] = []] = await checkHandoff(readSettings({ HANDOFF: hubs, ...(hubs.includes('webhook') && webhook) }), 1000);
  assert.equal(check, 'handoff');
  return finding ?? assert.fail();
};

for (const hub of ['event', 'omnichannel'])
  describe(`the doctor on the hub “${hub}”`, () => {
    it('warns that nobody can join the bot’s own web chat, unless there is another hub', async () => {
      const alone = await lineOn(hub);
      assert.deepEqual([alone.status, /nobody can join them/.test(alone.words)], ['warning', true]);
      const beside = await lineOn(`${hub},webhook,desk`);
      assert.deepEqual([beside.status, /go to webhook or desk/.test(beside.words)], ['ok', true]);
    });
  });
