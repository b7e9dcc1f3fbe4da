import assert from 'node:assert/strict';
import type { Overview } from '../../src/desk/overview.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

describe('the desk’s figures', function () {
  this.timeout(60_000);
  let world: World;
  before(async () => {
    world = await openWorld('desk', {}, {}, 'supervisor');
  });
  after(() => world.close());
  const figures = async () => (await world.desk().ask({ type: 'overview' })).value as Overview;
  const ask = async (...before: string[]) => {
    for (const words of [...before, 'agent']) await world.talk.say(words);
    return until(() => world.deskId(), 'the conversation');
  };

  it('count a conversation as verified after it is over too, and answered once an agent has written', async () => {
    for (const words of ['hello', 'passkeys', '+12025550110', 'yes', 'yes']) await world.talk.say(words);
    await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
    const id = await ask();
    await world.desk().act(id, { kind: 'accept' });
    assert.deepEqual([(await figures()).verified, (await figures()).firstResponse.count], [1, 0]);
    await world.desk().act(id, { kind: 'say', id: 'm1', text: 'Hello' });
    await world.desk().act(id, { kind: 'say', id: 'm2', text: 'How can I help?' });
    assert.equal((await figures()).firstResponse.count, 1);
    await world.desk().act(id, { kind: 'finish', wrapUp: 'solved' });
    world.nextChat();
    await ask();
    const { conversations, verified } = await figures();
    assert.deepEqual([conversations, verified], [2, 1]);
  });

  it('count those that ended before an agent came', async () => {
    world.nextChat();
    const id = await ask();
    assert.equal((await figures()).abandoned, 0);
    await world.desk().act(id, { kind: 'decline' });
    assert.equal((await figures()).abandoned, 1);
  });
});
