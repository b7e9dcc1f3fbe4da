import assert from 'node:assert/strict';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { mara, openWorld, type World } from '../support/hubs.ts';
import { withStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

// A turn that dies has done its part outside and remembers nothing of it: as after a kill between the two.
describe('a turn that dies before it is stored', () => {
  let world: World;
  let dying: boolean;
  /** Dies once the end of a handoff is on disk. */
  let ending: boolean;
  beforeEach(async () => {
    dying = false;
    ending = false;
    world = await openWorld(
      'webhook',
      {},
      {
        around: {
          storage: (storage) => {
            const store = storage.of(makeHandoffStore);
            const own = withStore(storage, makeHandoffStore, {
              ...store,
              end: async (...asked) => {
                const over = await store.end(...asked);
                if (!ending) return over;
                ending = false;
                throw new Error('killed');
              },
            });
            return {
              ...own,
              botState: {
                ...storage.botState,
                write: async (items, answered) => {
                  if (dying && Object.keys(items).length > 0) {
                    dying = false;
                    throw new Error('killed');
                  }
                  return storage.botState.write(items, answered);
                },
              },
            };
          },
        },
      },
    );
  });
  afterEach(() => world.close());
  const ask = async () => {
    await world.talk.say('agent');
    await until(() => world.events('requested').length === 1, 'the request');
  };
  const join = async () => {
    await ask();
    await world.accept();
  };
  /** Dies once, and is done again, as a platform does it. */
  const twice = async (operation: string, body: object) => {
    dying = true;
    const first = await world.call(operation, body);
    assert.deepEqual([first.status, first.body.code], [502, 'chat_unreachable']);
    const { status } = await world.call(operation, body);
    assert.equal(status, 200);
  };
  const silent = async () => {
    const before = world.said().length;
    await world.talk.say('is anybody there?');
    assert.equal(world.said().length, before);
    await until(() => world.events('message').some(({ data }) => data.message.text === 'is anybody there?'), 'the message');
  };

  it('asks for an agent once, and the customer gets one', async () => {
    dying = true;
    await world.talk.say('agent');
    await world.talk.say('agent');
    await until(() => world.events('requested').length === 1, 'the request');
    await world.accept();
    await silent();
    assert.equal(world.events('requested').length, 1);
  });

  it('lets the agent join', async () => {
    await ask();
    await twice('accept', { agent: mara });
    await silent();
  });

  it('lets the agent write', async () => {
    await join();
    await twice('messages', { id: 'm1', text: 'Hello' });
    await world.call('messages', { id: 'm1', text: 'Hello' });
    // This channel knows no names of messages, so that one may be there twice, and no more.
    assert.ok(world.said().filter((said) => said === 'Hello').length <= 2);
  });

  it('starts one request, which the chat waits for', async () => {
    await join();
    const body = {
      id: '01KAH5Z0V8Q2J9XW3N4M5P6R7S',
      app: 'payments',
      agentId: mara.id,
      phoneNumber: '+12025550113',
      productId: 'ev-charging-pass',
    };
    await twice('interactions', body);
    assert.equal(world.whole.proxy.count(/^POST \/payments\/send/), 1);
    await world.call('return');
    await world.talk.say('status');
    assert.match(world.said().at(-1) ?? '', /payment|request/i);
    await world.talk.say('cancel');
    await until(() => world.events('outcome').length === 1, 'its end');
  });

  it('no longer counts somebody as verified who was verified before the agent left', async () => {
    for (const words of ['hello', 'passkeys', '+12025550110', 'yes']) await world.talk.say(words);
    await until(() => world.talk.replies().some(({ channelData }) => channelData?.interaction?.status === 'success'), 'the outcome');
    await join();
    assert.equal(world.events('requested')[0].data.verification.state, 'verified');
    dying = true;
    await world.call('return');
    await world.talk.say('am I verified');
    assert.match(world.said().slice(-2).join('\n'), /No, you are not verified in this chat at the moment/);
  });

  for (const [operation, hears] of [
    ['return', /I am here again/],
    ['finish', /has left this chat/],
    ['decline', /nobody can join/i],
  ] as const) {
    it(`tells the customer before the chat ends: ${operation}`, async () => {
      await (operation === 'decline' ? ask() : join());
      ending = true;
      await world.call(operation);
      assert.equal(ending, false, 'it died');
      assert.equal(world.said().filter((said) => hears.test(said)).length, 1, world.said().join(' / '));
    });
  }

  for (const [operation, kept] of [
    ['return', 'returned'],
    ['finish', 'finished'],
  ] as const) {
    it(`ends it (${operation}), and the bot speaks again`, async () => {
      await join();
      dying = true;
      await world.call(operation);
      const { body } = await world.platform.get(`/handoff/${world.events('requested')[0].data.handoff.id}`);
      assert.equal(body.handoff.ending, kept);
      await world.talk.say('payments');
      assert.match(world.said().at(-1) ?? '', /phone number/i);
    });
  }
});
