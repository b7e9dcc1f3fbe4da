import assert from 'node:assert/strict';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { withStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

describe('a busy desk', () => {
  let world: World;
  let reads = 0;
  let brought = 0;
  before(async () => {
    world = await openWorld(
      'desk',
      {},
      {
        around: {
          storage: (storage) => {
            const store = storage.of(makeHandoffStore);
            return withStore(storage, makeHandoffStore, {
              ...store,
              events: (...asked) => {
                reads += 1;
                return store.events(...asked);
              },
              settleEvent: (...asked) => {
                brought += 1;
                return store.settleEvent(...asked);
              },
            });
          },
        },
      },
    );
  });
  after(() => world.close());

  it('reads each message once, and sends it only to those who look at the conversation', async () => {
    await world.talk.say('agent');
    const { id } = await until(() => world.desk().rows()[0], 'the conversation in the list');
    const messages = () =>
      world
        .desk()
        .events(id)
        .filter(({ type }) => type === 'message' || type === 'said').length;
    world.desk().watch(id);
    await world.desk().act(id, { kind: 'accept' });
    await until(() => world.desk().rows()[0]?.state === 'accepted' && world.desk().events(id).length === 2, 'whose it is');
    const lists = () => world.desk().frames.filter(({ type }) => type === 'rows').length;
    const [readBefore, listsBefore] = [reads, lists()];
    for (const text of ['one', 'two', 'three']) {
      const before = messages();
      await world.talk.say(text);
      await until(() => messages() === before + 1, 'what the customer says');
      await world.desk().act(id, { kind: 'say', id: text, text: `and ${text}` });
      await until(() => messages() === before + 2, 'what the agent says');
    }
    assert.equal(lists() - listsBefore, 0);
    assert.equal(brought, 0, 'what is written has arrived: nothing is brought anywhere');
    assert.ok(reads - readBefore <= 6, `${reads - readBefore} reads for 6 messages`);
  });
});
