import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSettings } from '../../src/compose/start/settings.ts';
import { type OpenTelemetry, openTelemetry } from '../../src/compose/start/telemetry.ts';
import type { Storage } from '../../src/storage/index.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { channelTalk } from '../support/channel-talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('what an operator sees', function () {
  this.timeout(60_000);
  let telemetry: OpenTelemetry;
  let channel: Channel;
  let whole: Whole;
  /** Thrown by every read of a chat's state. */
  let fault: Error | undefined;
  beforeEach(async () => {
    fault = undefined;
    telemetry = await openTelemetry(readSettings({}), (lost) => assert.fail(String(lost)));
    channel = await openChannel();
    const read = async (storage: Storage, keys: readonly string[]) => {
      if (fault) throw fault;
      return storage.botState.read(keys);
    };
    const around = {
      storage: (storage: Storage): Storage => ({ ...storage, botState: { ...storage.botState, read: (keys) => read(storage, keys) } }),
    };
    whole = await startWhole({ telemetry: () => telemetry, around });
  });
  afterEach(async () => {
    await whole.close();
    await channel.close();
  });
  const talkIn = (conversation: string) => channelTalk(whole, channel, { conversation, user: `customer-${conversation}` });
  const metrics = async () => (await fetch(`http://127.0.0.1:${whole.bot().port}/metrics`)).text();
  const readiness = async () => {
    const answer = await fetch(`http://127.0.0.1:${whole.bot().port}/readyz`);
    return [answer.status, await answer.json()];
  };

  it('of state that a turn could not use: an error and a counter, while the customer begins again', async () => {
    const talk = talkIn('one');
    for (const words of ['payments', '+12025550102', 'my electricity']) await talk.say(words);
    const db = new DatabaseSync(join(whole.dataDir, 'bot.db'));
    db.exec(`update bot_state set value = replace(value, '"values":', '"gone":')`);
    db.close();
    await talk.say('send');
    await talk.sees(/updated in the meantime/);
    assert.match(await metrics(), /^countersign_unusable_state_total\{state="questions"\} 1$/m);
    assert.match(whole.lines.join('\n'), /"level":"error".*"error":"TypeError".*"state":"questions".*could not be used/);
    assert.doesNotMatch(whole.lines.join('\n'), /turn failed/);
  });

  it('of outcomes that do not reach their chats: counters, and the reason', async () => {
    const talk = talkIn('one');
    for (const words of ['payments', '+12025550110', '1']) await talk.say(words);
    fault = new Error('canary');
    const failures = async () => /^countersign_outcome_delivery_failures_total\{app="payments"\} [2-9]$/m.test(await metrics());
    await until(failures, 'failed attempts', 40_000);
    assert.match(await metrics(), /^countersign_outcomes_undelivered 0$/m);
    fault = undefined;
    await talk.sees(/Payment received|Paid/);
  });

  it('of a process in which every turn fails: it is not ready, until a turn works', async () => {
    await talkIn('one').say('hello');
    fault = new TypeError('canary');
    for (const conversation of ['one', 'two', 'three', 'four']) await talkIn(conversation).say('hello');
    assert.deepEqual(await readiness(), [200, { status: 'ready' }]);
    await talkIn('five').say('hello');
    assert.deepEqual(await readiness(), [503, { status: 'not ready', failing: ['turns'] }]);
    fault = undefined;
    await talkIn('six').say('hello');
    assert.deepEqual(await readiness(), [200, { status: 'ready' }]);
  });
});
