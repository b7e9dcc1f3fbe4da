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
  /** A customer of a channel, who waits for a payment. */
  const pay = async (channelId: string) => {
    const customer = channelTalk(world, channel, { conversation: `conversation-on-${channelId}`, user: 'user-1', channelId });
    for (const words of ['payments', canaries.phoneNumber, 'yes']) await customer.say(words);
    await customer.sees(/Waiting for your payment/);
    requestId = world.service.given.at(-1) as string;
    return customer;
  };
  beforeEach(async () => {
    world = await startBotBesideScript();
    channel = await openChannel();
    talk = await pay('emulator');
  });
  afterEach(async () => {
    assert.deepEqual(world.uncaught, []);
    await world.close();
    await channel.close();
  });
  const row = () => world.rows()[0];
  /** What the chat was sent since the outcome was decided: the menu is what it ends with. */
  const menus = () => talk.replies().filter(({ text }) => /What would you like to do\?/.test(text));
  const posts = (pattern: RegExp) => talk.replies().filter(({ text }) => pattern.test(text)).length;
  const outcomes = () => talk.replies().filter(({ channelData }) => channelData?.interaction);

  /** How updates in place are answered is not what is tried out: only posts count. */
  const onPosts = (...answers: (number | undefined)[]) => {
    const answer: Channel['next'][number] = (req, res) => {
      const status = req.method === 'POST' && !req.url?.endsWith('typing') ? answers.shift() : undefined;
      if (answers.length > 0) channel.next.push(answer);
      if (status === undefined) answering(201, { 'content-type': 'application/json' }, '{"id":"x"}')(req, res);
      else answering(status)(req, res);
    };
    channel.next.push(answer);
  };

  describe('and moves to another service URL', () => {
    let elsewhere: Channel;
    const told = (at: Channel) =>
      at.received.filter(({ body }) => (body as { channelData?: { interaction?: object } })?.channelData?.interaction);
    beforeEach(async () => {
      elsewhere = await openChannel();
    });
    afterEach(() => elsewhere.close());

    it('gets the outcome where the customer wrote from last, and nothing at the old place', async () => {
      await talk.post({ text: 'status', serviceUrl: elsewhere.serviceUrl });
      world.service.finish(requestId);
      await until(() => told(elsewhere).length === 1, 'the outcome');
      assert.equal(told(channel).length, 0);
      await until(() => row()?.state === 'delivered', 'it is told');
    });

    it('gets the outcome there also if it was already tried in vain at the old place', async () => {
      onPosts(503, 503, 503, 503, 503, 503, 503, 503);
      world.service.finish(requestId);
      await until(() => told(channel).length > 0, 'the first try');
      await talk.post({ text: 'status', serviceUrl: elsewhere.serviceUrl });
      await until(() => told(elsewhere).length === 1, 'the outcome');
    });

    it('does not follow an address that is not answered to', async () => {
      const { status } = await talk.post({ text: 'status', serviceUrl: 'https://evil.example' });
      assert.equal(status, 400);
      world.service.finish(requestId);
      await until(() => told(channel).length === 1, 'the outcome');
    });
  });

  for (const status of [403, 404]) {
    it(`is given up if the channel answers ${status}, and the outcome is kept`, async () => {
      onPosts(status);
      world.service.finish(requestId);
      await until(() => row()?.state === 'undeliverable', 'it is given up');
      assert.equal(JSON.parse(row()?.outcome ?? '').status, 'success');
      assert.equal(outcomes().length, 1);
    });
  }

  for (const status of [412, 429, 500, 502, 504]) {
    it(`gets the outcome once the channel is back after ${status}`, async () => {
      onPosts(status, status);
      world.service.finish(requestId);
      await until(() => row()?.state === 'delivered', 'it is told');
      assert.equal(outcomes().length, 3);
      await talk.sees(/What would you like to do/);
      assert.ok(
        world.logged('warn').some(({ error, msg }) => error === 'ConnectorError' && msg === 'an outcome could not be delivered yet'),
      );
    });
  }

  for (const status of [400, 413]) {
    it(`gets the outcome as text if the channel refuses the card with ${status}, and continues`, async () => {
      onPosts(status);
      world.service.finish(requestId);
      await talk.sees(/What would you like to do\?/);
      const [card, words, ...more] = outcomes();
      assert.equal(card?.attachments.length, 1);
      assert.match(words?.text, /^Payment received\./);
      assert.deepEqual([words?.attachments, more], [undefined, []]);
      await until(() => row()?.state === 'delivered', 'it is told');
    });

    it(`is given up if the channel also refuses the text with ${status}, and the chat goes on`, async () => {
      onPosts(status, status);
      world.service.finish(requestId);
      await talk.sees(/What would you like to do\?/);
      await until(() => row()?.state === 'undeliverable', 'it is given up');
      assert.ok(world.logged('warn').some((line) => line.status === status && /undeliverable/.test(String(line.msg))));
      assert.equal(outcomes().length, 2);
      await talk.say('payments');
      await talk.sees(/\S••• \S\./);
      assert.equal(outcomes().length, 2);
    });
  }

  it('does not get the outcome again if only the menu after it was refused temporarily', async () => {
    onPosts(undefined, 429, 429);
    world.service.finish(requestId);
    await until(() => menus().length === 3, 'the menu is posted until it is taken');
    await until(() => row()?.state === 'delivered', 'it is told');
    assert.equal(outcomes().length, 1);
    await talk.say('e-form');
    await talk.sees(/\S••• \S\./);
  });

  it('gets the outcome even if the customer is quicker than the menu', async () => {
    onPosts(undefined, 504, 504, 504, 504, 504, 504, 504, 504);
    world.service.finish(requestId);
    await until(() => row()?.state === 'delivered', 'it is told');
    channel.next.length = 0;
    await talk.say('anything');
    await talk.sees(/What would you like to do\?/);
    assert.equal(outcomes().length, 1);
  });

  it('has one waiting card on Teams, which is updated in place', async () => {
    talk = await pay('msteams');
    world.service.finish(requestId);
    await until(() => world.rows().some(({ state }) => state === 'delivered'), 'it is told');
    assert.equal(posts(/^Waiting for your payment/), 1);
    // Cards that were answered are updated too: they say what was chosen.
    const updates = channel.received.filter(
      ({ method, path, body }) =>
        method === 'PUT' && path.includes('conversation-on-msteams') && /^Waiting for|^Paid/.test(String(body?.summary)),
    );
    assert.ok(updates.length > 0, 'it is updated');
    assert.equal(new Set(updates.map(({ path }) => path)).size, 1);
  });

  it('is closed by the other side: nothing is posted into it, and the outcome is still delivered', async () => {
    const before = talk.replies().length;
    assert.equal((await talk.post({ type: 'endOfConversation', code: 'userCancelled' })).status, 200);
    assert.equal(talk.replies().length, before);
    world.service.finish(requestId);
    await until(() => row()?.state === 'delivered', 'it is told');
    assert.deepEqual(
      talk
        .replies()
        .slice(before)
        .map(({ text }) => text.split('.')[0]),
      ['Payment received'],
    );
    // What is said next begins anew.
    await talk.say('payments');
    await talk.sees(/\S••• \S\./);
  });

  it('does not keep a turn from ending, and gets no apology through the failing channel', async () => {
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
