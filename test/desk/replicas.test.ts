import assert from 'node:assert/strict';
import { makeAssertionKey } from '../../src/verification/assertion.ts';
import { type DeskAgent, openDeskAgent } from '../support/desk.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { newDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

describe('an agent at the desk of one replica, and the customer at another', function () {
  this.timeout(120_000);
  let here: World;
  let there: World;
  let agent: DeskAgent;
  beforeEach(async () => {
    const shared = {
      ...{ DATABASE_URL: await newDatabase(), CHAT_TOKEN_KEY: 'the-token-key-of-all-replicas-here' },
      ...{ ASSERTION_KEY: await makeAssertionKey(), DESK_KEY: 'the-desk-key-of-all-replicas-there' },
    };
    here = await openWorld('desk', shared);
    there = await openWorld('desk', shared);
    // Signed in at the one, and connected to the other.
    await here.desk().disconnect();
    await there.desk().disconnect();
    agent = await openDeskAgent(() => `http://localhost:${there.whole.bot().port}`, here.desk().cookie);
  });
  afterEach(async () => {
    await agent.disconnect();
    await there.close();
    await here.close();
  });

  it('can be brought together: the agent finds the chat with the bot, and joins it', async () => {
    await here.talk.say('hello');
    agent.send({ type: 'running', on: true });
    const { id: running } = await until(() => agent.running()[0], 'the chat in the list');
    const { refused, value } = await agent.ask({ type: 'come', id: running });
    assert.equal(refused, undefined);
    assert.match(here.said().at(-1) ?? '', /Mara has joined this chat/);
    const { id } = value as { id: string };
    await here.talk.say('who is there?');
    agent.watch(id);
    await until(() => agent.events(id).some(({ type }) => type === 'message'), 'what the customer said');
  });

  it('write to each other, and agents are offered colleagues of both replicas', async () => {
    await until(async () => {
      await here.talk.say('agent');
      return agent.rows().length > 0;
    }, 'the request');
    const id = agent.rows()[0]?.id ?? '';
    agent.watch(id);
    assert.equal((await agent.act(id, { kind: 'accept' })).refused, undefined);
    for (const text of ['one', 'two', 'three']) {
      await here.talk.say(text);
      assert.equal((await agent.act(id, { kind: 'say', id: text, text: `and ${text}` })).refused, undefined);
    }
    await until(() => agent.events(id).filter(({ type }) => type === 'message').length === 3, 'what the customer said');
    assert.deepEqual(
      here.said().filter((said) => said.startsWith('and ')),
      ['and one', 'and two', 'and three'],
    );
    // The replica that the agent is connected to is gone; the page finds the other.
    await agent.disconnect();
    await there.whole.stopBot();
    const again = await openDeskAgent(() => `http://localhost:${here.whole.bot().port}`, agent.cookie);
    again.watch(id);
    await here.talk.say('four');
    await until(() => again.events(id).filter(({ type }) => type === 'message').length === 4, 'everything');
    assert.equal(again.rows()[0]?.agent?.id, agent.me().id);
    await again.disconnect();
  });
});
