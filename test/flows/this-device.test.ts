import assert from 'node:assert/strict';
import { ulid } from 'ulid';
import { auditTrail } from '../../src/contract/index.ts';
import { type ChannelTalk, channelTalk } from '../support/channel-talk.ts';
import { answer } from '../support/device.ts';
import { mara, openWorld, type World } from '../support/hubs.ts';
import { keptBytes } from '../support/kept-bytes.ts';
import { until } from '../support/until.ts';

const number = '+12025550102';
const publicUrl = 'https://verify.example.com';

describe('a customer who chats on the phone that the message goes to', function () {
  this.timeout(120_000);
  let world: World;
  let talk: ChannelTalk;
  const begin = async (settings: Readonly<Record<string, string>> = { SERVICE_LINK_HOSTS: 'verify.example.com' }) => {
    // As in production: a number that is typed is told alike, one that the channel vouches for is not.
    world = await openWorld('webhook', { LOOKUP_REPLIES: 'alike', CATALOGUE_NUMBER: number, ...settings }, { service: { publicUrl } });
    talk = channelTalk(world.whole, world.channel, { conversation: 'sms-1', user: number, channelId: 'sms' });
  };
  afterEach(() => world.close());
  const says = async (...words: string[]) => {
    for (const one of words) await talk.say(one);
  };
  const outcome = () => until(() => talk.replies().find(({ channelData }) => channelData?.interaction), 'the outcome', 40_000);
  const kept = () => keptBytes(world.whole.dataDir);

  const ways: [string, string[], Record<string, string>][] = [
    ['payments', ['payments', '1'], {}],
    ['a form', ['form', '3'], { 'a.rating': 'good' }],
  ];
  for (const [what, words, entered] of ways)
    it(`continues from the menu to the outcome with the link in the chat (${what})`, async () => {
      await begin();
      await says('hello', ...words);
      const { text } = await talk.sees(/Continue on this device: /);
      const [, link = ''] = /^Continue on this device: (\S+)$/m.exec(text) ?? [];
      assert.equal(new URL(link).origin, publicUrl);
      await answer(world.whole, new URL(link).pathname, 'accept', entered);
      const { channelData, text: told } = await outcome();
      assert.equal(channelData.interaction.status, 'success');

      const headers = { authorization: `Bearer ${world.whole.service.secretKey}` };
      const trail = await fetch(`${world.whole.service.baseUrl}/requests/${channelData.interaction.requestId}/audit`, { headers });
      const { entries } = auditTrail.parse(await trail.json());
      assert.deepEqual(entries.filter(({ action }) => action === 'link.returned').length, 1);

      const token = new URL(link).pathname.slice('/r/'.length);
      await says('agent');
      await until(() => world.requests().length > 0, 'a person who was asked for');
      assert.match(JSON.stringify(world.transcript()), /Waiting for|form/i);
      const said = talk.replies().filter((reply) => JSON.stringify(reply).includes(token));
      assert.equal(said.length, 1, 'said once');
      for (const [where, all] of [
        ['the outcome', told],
        ['the database', kept()],
        ['the log', world.whole.lines.join('')],
        ['what a person reads', JSON.stringify(world.platform.events)],
      ] as const)
        assert.ok(!all.includes(token), `${where} holds the link`);
    });

  it('is shown no link by a request that a person starts for them', async () => {
    await begin();
    await says('hello', 'agent');
    await until(() => world.requests().length > 0, 'a person who was asked for');
    await world.accept();
    const started = await world.call('interactions', {
      ...{ id: ulid(), app: 'payments', agentId: mara.id },
      ...{ phoneNumber: number, productId: 'ev-charging-pass' },
    });
    assert.equal(started.status, 200, JSON.stringify(started.body));
    const { text } = await talk.sees(/Waiting for your payment/);
    assert.doesNotMatch(text, /this device|verify\.example|\/r\//);
  });

  it('gets no link to a host other than the service’s, which is logged, and continues without', async () => {
    await begin({});
    await says('payments', '1');
    const { text } = await talk.sees(/Waiting for your payment/);
    assert.doesNotMatch(text, /this device|verify\.example|\/r\//);
    const told = world.whole.lines.map((line) => JSON.parse(line)).filter(({ fields }) => fields === 'link');
    assert.deepEqual(
      told.map(({ level, operation, errorCode }) => [level, operation, errorCode]),
      [['warn', 'payments.send', 'shape']],
    );
  });
});
