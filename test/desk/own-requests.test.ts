import assert from 'node:assert/strict';
import { channelTalk } from '../support/channel-talk.ts';
import { newUlid } from '../support/desk.ts';
import { openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

describe('requests at the desk', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('desk');
  });
  afterEach(() => world.close());
  const row = (at = 0) => until(() => world.desk().rows()[at], 'the conversation');
  const join = async (...before: string[]) => {
    for (const words of [...before, 'agent']) await world.talk.say(words);
    const { id } = await row();
    world.desk().watch(id);
    await world.desk().act(id, { kind: 'accept' });
    return id;
  };
  const entry = (id: string) => world.desk().panel(id)?.timeline[0];
  const pay = async (id: string, request: string, phoneNumber: string) => {
    const act = { kind: 'start', id: request, app: 'payments', phoneNumber, chosen: 'ev-charging-pass' };
    assert.equal((await world.desk().act(id, act)).refused, undefined);
  };

  it('show what is to be paid, and the number that the customer compares while they are open', async () => {
    const id = await join();
    const started = newUlid();
    await pay(id, started, '+12025550112');
    const { compare, price, subject } = await until(() => (entry(id)?.compare === undefined ? undefined : entry(id)), 'the entry');
    assert.deepEqual([price, subject], [{ amount: 59.9, currency: 'EUR' }, 'Charging pass']);
    assert.match(compare ?? '', /^\d\d$/);
    assert.match(world.said().at(-1) ?? '', new RegExp(`\\b${compare}\\b`), 'the chat shows the same');
    await world.desk().act(id, { kind: 'cancel', id: started });
    await until(() => entry(id)?.status === 'cancelled', 'the end');
    assert.equal(entry(id)?.compare, undefined);
  });

  it('can be cancelled by whoever sent them, and by nobody else', async () => {
    const id = await join('payments', '+12025550112', 'yes', '1', 'yes');
    const theirs = await until(() => entry(id)?.id, 'the customer’s own request');
    assert.equal((await world.desk().act(id, { kind: 'cancel', id: theirs })).refused, 'unknown_choice');
    const started = newUlid();
    await pay(id, started, '+12025550112');
    const before = world.said().length;
    assert.equal((await world.desk().act(id, { kind: 'cancel', id: started })).refused, undefined);
    await until(
      () =>
        world
          .said()
          .slice(before)
          .some((text) => /cancel/i.test(text)),
      'the words in the chat',
    );
    assert.equal((await world.desk().act(id, { kind: 'cancel', id: started })).refused, 'unknown_choice');
    const { timeline = [] } = world.desk().panel(id) ?? {};
    assert.notEqual(timeline.find((one) => one.id === theirs)?.status, 'cancelled');
  });

  it('can be sent to the number that the channel vouches for, which the list shows masked', async () => {
    const talk = channelTalk(world.whole, world.channel, { conversation: 'sms-1', user: '+12025550102', channelId: 'sms' });
    await talk.say('agent');
    assert.deepEqual((await row()).badge, { state: 'none', phone: '+1•••0102' });
  });

  it('wait with the customer’s own words, without numbers and addresses, until an agent comes', async () => {
    const saidOf = async (...words: string[]) => {
      for (const text of words) await world.talk.say(text);
      return world.desk().rows()[0]?.said;
    };
    assert.equal(await saidOf('agent'), undefined);
    await row();
    await saidOf('my bill 4411 22 93 is wrong, write to jane@example.com');
    await until(() => world.desk().rows()[0]?.said, 'the words');
    assert.equal(world.desk().rows()[0]?.said, 'my bill ••• is wrong, write to •••');
    await world.desk().act((await row()).id, { kind: 'accept' });
    await until(() => world.desk().rows()[0]?.state === 'accepted', 'the agent');
    assert.equal(world.desk().rows()[0]?.said, undefined);
  });
});
