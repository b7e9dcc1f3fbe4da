import assert from 'node:assert/strict';
import { type BotBesideScript, startBotBesideScript } from '../support/bot-beside-script.ts';
import { answering, type Channel, openChannel } from '../support/channel.ts';
import { type ChannelTalk, channelTalk } from '../support/channel-talk.ts';
import { canaries } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

describe('a chat whose channel fails while the customer is on their device', () => {
  let world: BotBesideScript;
  let channel: Channel;
  let talk: ChannelTalk;
  let requestId: string;
  beforeEach(async () => {
    world = await startBotBesideScript();
    channel = await openChannel();
    talk = channelTalk(world, channel, { conversation: 'conversation-1', user: 'user-1' });
    for (const words of ['payments', canaries.phoneNumber, 'yes', '1', 'yes']) await talk.say(words);
    await talk.sees(/Waiting for your payment/);
    requestId = world.service.given[0] as string;
  });
  afterEach(async () => {
    assert.deepEqual(world.uncaught, []);
    await world.close();
    await channel.close();
  });
  const row = () => world.rows()[0];
  const outcomes = () => talk.replies().filter(({ channelData }) => channelData?.interaction);

  for (const status of [403, 404]) {
    it(`is given up where the channel says ${status}, and the outcome is kept`, async () => {
      channel.next.push(answering(status));
      world.service.finish(requestId);
      await until(() => row()?.state === 'undeliverable', 'it is given up');
      assert.equal(JSON.parse(row()?.outcome ?? '').status, 'success');
      assert.equal(outcomes().length, 1);
    });
  }

  for (const status of [412, 429, 500, 502, 504]) {
    it(`is told once the channel is back after ${status}`, async () => {
      channel.next.push(answering(status), answering(status));
      world.service.finish(requestId);
      await until(() => row()?.state === 'delivered', 'it is told');
      assert.equal(outcomes().length, 3);
      await talk.sees(/What would you like to do/);
      assert.ok(
        world.logged('warn').some(({ error, msg }) => error === 'ConnectorError' && msg === 'an outcome could not be delivered yet'),
      );
    });
  }

  it('does not keep a turn from ending, and is not apologised to through what failed', async () => {
    channel.next.push(answering(404));
    const before = channel.received.length;
    assert.equal((await talk.say('status')).status, 200);
    assert.equal(channel.received.length, before + 1);
    const [line] = world.logged('error');
    assert.deepEqual([line?.error, line?.errorCode, line?.status], ['ConnectorError', 'gone', 404]);
    // Nothing is lost by it.
    await talk.say('status');
    await talk.sees(/on its way|was sent/);
  });
});
