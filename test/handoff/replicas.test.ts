import assert from 'node:assert/strict';
import { makeAssertionKey } from '../../src/verification/assertion.ts';
import { channelTalk } from '../support/channel-talk.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { newDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

describe('a person at one replica, and the customer at another', () => {
  let here: World;
  let there: World;
  beforeEach(async () => {
    const shared = {
      DATABASE_URL: await newDatabase(),
      CHAT_TOKEN_KEY: 'the-token-key-of-all-replicas-here',
      ASSERTION_KEY: await makeAssertionKey(),
    };
    here = await openWorld('webhook', shared);
    // The same platform, so that its agent comes by either.
    there = await openWorld('webhook', { ...shared, HANDOFF_WEBHOOK_URL: here.platform.url });
  });
  afterEach(async () => {
    await there.close();
    await here.close();
  });
  /** What the platform does at the other replica. */
  const call = (operation: string, body: object = {}) =>
    there.platform.post(`/handoff/${here.events('requested').at(-1)?.data.handoff.id}/${operation}`, body);
  const agent = { id: 'mara@example.com', name: 'Mara' };

  it('talk with each other in one chat, with the same proof of verification', async () => {
    await here.talk.say('agent');
    await until(() => here.events('requested').length === 1, 'the request');
    assert.equal((await call('accept', { agent })).status, 200);
    const before = here.said().length;
    await here.talk.say('one');
    // The same customer, by the other replica.
    const elsewhere = channelTalk(there.whole, here.channel, { conversation: 'conversation-1', user: 'user-1', channelId: 'emulator' });
    await elsewhere.post({ id: 'by-the-other', text: 'two' });
    assert.equal((await call('messages', { id: 'm1', text: 'I am here.' })).status, 200);
    assert.deepEqual(here.said().slice(before), ['I am here.']);
    await until(() => here.events('message').length === 2, 'both messages');
    assert.deepEqual(
      here.events('message').map(({ data }) => data.message.text),
      ['one', 'two'],
    );
    const keys = await Promise.all([here, there].map(({ platform }) => platform.get('/.well-known/jwks.json')));
    assert.deepEqual(keys[0]?.body, keys[1]?.body);
  });

  it('continue when the replica that had the chat is gone', async () => {
    await here.talk.say('agent');
    await until(() => here.events('requested').length === 1, 'the request');
    await here.accept();
    here.platform.answer = 503;
    await here.talk.say('one');
    await here.whole.stopBot();
    here.platform.answer = 204;
    await until(() => here.events('message').length === 1, 'what the other brings');
    assert.equal((await call('messages', { id: 'm1', text: 'I am still here.' })).status, 200);
    assert.equal(here.said().at(-1), 'I am still here.');
    await here.whole.startBot();
  });
});

describe('a person in Chatwoot, who calls one replica', () => {
  it('is served by the other replica if one dies', async () => {
    const shared = {
      DATABASE_URL: await newDatabase(),
      CHAT_TOKEN_KEY: 'the-token-key-of-all-replicas-here',
      ASSERTION_KEY: await makeAssertionKey(),
    };
    const here = await openWorld('chatwoot', shared);
    // The same Chatwoot, which calls the first.
    const there = await openWorld('chatwoot', { ...shared, ...here.chatwoot().settings });
    try {
      await here.talk.say('agent');
      await until(() => here.requests().length === 1, 'the request');
      await here.accept();
      await here.whole.stopBot();
      const { agents, conversations, write } = here.chatwoot();
      const [conversation, agent] = [conversations[0], agents[0]];
      assert.ok(conversation && agent);
      await write(conversation.id, agent, 'I am still here.');
      await until(() => here.said().includes('I am still here.'), 'what the other says');
      assert.equal(here.said().filter((said) => /Mara has joined/.test(said)).length, 1);
    } finally {
      await there.close();
      await here.close();
    }
  });
});
