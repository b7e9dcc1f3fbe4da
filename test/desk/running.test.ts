import assert from 'node:assert/strict';
import { channelTalk } from '../support/channel-talk.ts';
import { type DeskAgent, openDeskAgent, signInAtDesk } from '../support/desk.ts';
import { noa, openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

describe('chats with the bot', function () {
  this.timeout(60_000);
  let world: World;
  let dying = false;
  const others: DeskAgent[] = [];
  beforeEach(async () => {
    dying = false;
    const dies = async (items: object) => {
      if (!dying || Object.keys(items).length === 0) return;
      dying = false;
      throw new Error('killed');
    };
    world = await openWorld(
      'desk',
      {},
      {
        around: {
          storage: ({ botState, ...storage }) => ({
            ...storage,
            botState: { ...botState, write: async (items, answered) => dies(items).then(() => botState.write(items, answered)) },
          }),
        },
      },
      'supervisor',
    );
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.disconnect();
    await world.close();
  });
  const says = async (...words: string[]) => {
    for (const text of words) await world.talk.say(text);
  };
  const look = () => world.desk().send({ type: 'running', on: true });
  const row = () => world.desk().running()[0];
  const listed = (what = 'the chat in the list') => until(row, what);
  const accesses = async () => {
    const { value } = await world.desk().ask({ type: 'accesses' });
    return (value as { action: string; person: string; subject: string }[]).map(({ action }) => action);
  };
  const come = async () => {
    look();
    const { id } = await listed();
    const { refused, value } = await world.desk().ask({ type: 'come', id });
    assert.equal(refused, undefined);
    return (value as { id: string }).id;
  };

  it('are listed with their progress, without their messages', async () => {
    await says('hello', 'payments', '+12025550102');
    look();
    const { id, since, ...rest } = await listed();
    assert.deepEqual(rest, {
      ...{ channel: 'emulator', language: 'en', waitsFor: 'answer', app: 'payments' },
      badge: { state: 'none', phone: '+1•••0102' },
    });
    assert.match(id, /^[\w-]{22}$/);
    assert.ok(Math.abs(Date.now() - since) < 60_000);
    assert.doesNotMatch(JSON.stringify(world.desk().frames), /conversation-1|2025550102|hello/);
    assert.ok((await accesses()).includes('running'));
  });

  const stages: [string, string[], object][] = [
    ['a wish', ['hello'], { waitsFor: 'menu' }],
    ['an answer', ['hello', 'passkeys'], { waitsFor: 'answer', app: 'passkeys' }],
    ['a code', ['hello', 'one-time passcode', '+12025550102', 'yes'], { waitsFor: 'code', app: 'one-time-passcode' }],
    ['the customer’s device', ['hello', 'passkeys', '+12025550102', 'yes'], { waitsFor: 'device', app: 'passkeys' }],
    ['an answer in a flow', ['hello', 'settle my bill'], { waitsFor: 'answer', flow: 'settle-bill', app: 'passkeys' }],
  ];
  for (const [what, words, expected] of stages) {
    it(`show that they wait for ${what}`, async () => {
      await says(...words);
      look();
      const { app, flow, waitsFor } = await listed();
      assert.deepEqual({ app, flow, waitsFor }, { app: undefined, flow: undefined, ...expected });
    });
  }

  const unlisted: [string, () => Promise<unknown>][] = [
    ['nobody has spoken in them yet', () => world.talk.post({ type: 'conversationUpdate', membersAdded: [{ id: 'user-1' }] })],
    ['a person is waited for', () => says('hello', 'agent')],
    ['the customer has said goodbye', () => says('hello', 'goodbye')],
    [
      'others can read them',
      () => world.talk.post({ type: 'message', text: 'hello', conversation: { id: 'conversation-1', isGroup: true } }),
    ],
  ];
  for (const [when, happen] of unlisted) {
    it(`are not listed if ${when}`, async () => {
      await happen();
      const other = channelTalk(world.whole, world.channel, { conversation: 'conversation-2', user: 'user-2', channelId: 'emulator' });
      await other.say('payments');
      look();
      await listed('the other chat');
      assert.deepEqual(
        world
          .desk()
          .running()
          .map(({ waitsFor }) => waitsFor),
        ['answer'],
      );
    });
  }

  it('can be joined: the customer is told, and the chat continues like any other with an agent', async () => {
    await says('hello', 'payments', '+12025550102');
    const id = await come();
    assert.match(world.said().at(-1) ?? '', /^Mara has joined this chat to help you, and can read what was said here\. .*menu/);
    world.desk().watch(id);
    await until(() => world.desk().events(id).length === 2, 'what was said before, and who joined');
    const [asked] = world.desk().events(id);
    assert.ok(asked?.type === 'requested' && asked.reason === 'taken' && asked.app === 'payments');
    assert.ok(asked.lines.some(({ text }) => text === 'hello'));
    assert.equal(world.desk().rows()[0]?.agent?.id, world.desk().me().id);
    await until(() => world.desk().running().length === 0, 'the list without it');
    const before = world.said().length;
    await says('who is there?');
    assert.equal(world.said().length, before, 'the bot is silent');
    await until(
      () =>
        world
          .desk()
          .events(id)
          .some((event) => event.type === 'message' && event.message.text === 'who is there?'),
      'the words',
    );
    assert.equal((await world.desk().act(id, { kind: 'say', id: 'm1', text: 'It is me' })).refused, undefined);
    assert.equal(world.said().at(-1), 'It is me');
    assert.equal((await world.desk().act(id, { kind: 'return' })).refused, undefined);
    assert.match(world.said().at(-1) ?? '', /I am here again/);
    await until(() => world.desk().running().length === 1, 'the list with it again');
    const done = await accesses();
    for (const action of ['running', 'come', 'open', 'return']) assert.ok(done.includes(action), action);
  });

  it('keep a request that waits on the customer’s device when an agent joins', async () => {
    await says('hello', 'passkeys', '+12025550102', 'yes');
    const id = await come();
    world.desk().watch(id);
    await until(() => world.desk().panel(id)?.timeline[0]?.app === 'passkeys', 'what was sent');
    assert.equal(world.desk().panel(id)?.timeline[0]?.status, undefined);
  });

  it('go to one of two agents who join at once', async () => {
    await says('hello');
    const { value: link } = await world.desk().ask({ type: 'invite' });
    const base = `http://localhost:${world.whole.bot().port}`;
    const other = await openDeskAgent(() => base, await signInAtDesk(new URL(String(link), base).href, noa));
    others.push(other);
    look();
    const { id } = await listed();
    const answers = await Promise.all([world.desk().ask({ type: 'come', id }), other.ask({ type: 'come', id })]);
    assert.deepEqual(answers.map(({ refused }) => refused ?? 'done').sort(), ['done', 'taken']);
    assert.equal(world.said().filter((said) => /has joined/.test(said)).length, 1);
  });

  it('are joined once, even if the turn dies midway', async () => {
    await says('hello');
    look();
    const { id } = await listed();
    dying = true;
    assert.equal((await world.desk().ask({ type: 'come', id })).refused, 'unavailable');
    assert.equal((await world.desk().ask({ type: 'come', id })).refused, undefined);
    assert.deepEqual(
      world
        .desk()
        .rows()
        .map(({ agent, state }) => [state, agent?.id]),
      [['accepted', world.desk().me().id]],
    );
    const before = world.said().length;
    await says('is anybody there?');
    assert.equal(world.said().length, before);
  });

  it('send no updates if nobody looks, and cannot be joined once they are over', async () => {
    await says('hello');
    look();
    const { id } = await listed();
    world.desk().send({ type: 'running', on: false });
    await says('goodbye');
    assert.equal((await world.desk().ask({ type: 'come', id })).refused, 'over');
    assert.equal(world.desk().running().length, 1);
  });
});
