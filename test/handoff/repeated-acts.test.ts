import assert from 'node:assert/strict';
import { monotonicFactory } from 'ulid';
import { operations } from '../../src/handoff/webhook/operations.ts';
import { mara, noa, openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

const ulid = monotonicFactory();

/** An act, and what other acts must have come before it. */
interface Case {
  readonly operation: string;
  readonly body: () => object;
  readonly unaccepted?: true;
}

const cases: readonly Case[] = [
  { operation: 'accept', body: () => ({ agent: mara }), unaccepted: true },
  { operation: 'messages', body: () => ({ id: ulid(), text: 'Good evening', agentId: mara.id }) },
  {
    operation: 'interactions',
    body: () => ({ id: ulid(), app: 'payments', agentId: mara.id, phoneNumber: '+12025550113', productId: 'fibre-router' }),
  },
  { operation: 'flows', body: () => ({ id: ulid(), flow: 'open-account', agentId: mara.id }) },
  { operation: 'typing', body: () => ({ agentId: mara.id }) },
  { operation: 'transfer', body: () => ({ agent: noa, agentId: mara.id }) },
  { operation: 'return', body: () => ({}) },
  { operation: 'return', body: () => ({ agentId: mara.id }) },
  { operation: 'finish', body: () => ({ wrapUp: 'solved' }) },
  { operation: 'finish', body: () => ({ agentId: mara.id }) },
  { operation: 'decline', body: () => ({}), unaccepted: true },
];

describe('a platform that repeats a call', () => {
  let world: World;
  before(async () => {
    world = await openWorld('webhook');
  });
  after(() => world.close());

  const ask = async (unaccepted = false) => {
    world.nextChat();
    await world.talk.say('agent');
    await until(() => world.events('requested').length > 0, 'the request');
    if (!unaccepted) await world.accept();
  };
  const shape = ({ status, body }: Awaited<ReturnType<World['call']>>) => ({ status, body });

  it('has a case for every call there is', () => {
    assert.deepEqual(new Set(cases.map(({ operation }) => operation)), new Set(operations.map(({ name }) => name)));
  });

  for (const { operation, body, unaccepted } of cases) {
    const what = body();
    it(`gets the first answer again, and the customer hears nothing twice: ${operation} ${Object.keys(what)}`, async () => {
      await ask(unaccepted);
      const first = shape(await world.call(operation, what));
      assert.equal(first.status, 200, JSON.stringify(first.body));
      const said = world.said();
      assert.deepEqual(shape(await world.call(operation, what)), first);
      await world.whole.stopBot();
      await world.whole.startBot();
      assert.deepEqual(shape(await world.call(operation, what)), first);
      assert.deepEqual(world.said(), said);
    });
  }

  for (const operation of ['return', 'finish', 'decline'])
    it(`gets no event of an end that it has caused itself: ${operation}`, async () => {
      await ask(operation === 'decline');
      const { handoff } = (await world.call(operation)).body;
      assert.equal(handoff.state, 'over');
      const { events } = (await world.platform.get(`/handoff/${handoff.id}/events`)).body;
      assert.deepEqual(
        events.map(({ type }: { type: string }) => type),
        ['handoff.requested'],
      );
    });

  it('gets the first answers of two at once', async () => {
    await ask();
    const [one, two] = await Promise.all([world.call('finish', { wrapUp: 'solved' }), world.call('finish', { wrapUp: 'solved' })]);
    assert.deepEqual([one.status, two.status], [200, 200]);
    assert.deepEqual(one.body, two.body);
    assert.equal(world.said().filter((said) => /has left this chat/.test(said)).length, 1);
  });

  const later: [string, string, object][] = [
    ['the chat was transferred', 'transfer', { agent: noa }],
    ['the chat went back', 'return', {}],
    ['the chat was finished', 'finish', {}],
  ];
  for (const [when, operation, body] of later)
    it(`learns what became of a message and an app after ${when}, and nothing new is done`, async () => {
      await ask();
      const message = { id: ulid(), text: 'Good evening', agentId: mara.id };
      const app = { id: ulid(), app: 'payments', agentId: mara.id, phoneNumber: '+12025550113', productId: 'fibre-router' };
      assert.equal((await world.call('messages', message)).status, 200);
      const started = (await world.call('interactions', app)).body.interaction;
      assert.ok(started);
      assert.equal((await world.call(operation, body)).status, 200);
      const said = world.said();
      assert.equal((await world.call('messages', message)).status, 200);
      const again = (await world.call('interactions', app)).body.interaction;
      assert.deepEqual([again.id, again.requestId], [started.id, started.requestId]);
      const refused = operation === 'transfer' ? 'not_yours' : 'over';
      for (const [name, other] of [
        ['messages', { ...message, id: ulid() }],
        ['interactions', { ...app, id: ulid() }],
      ] as const)
        assert.deepEqual([name, (await world.call(name, other)).body.code], [name, refused]);
      assert.deepEqual(world.said(), said);
    });

  it('is refused if another end came first', async () => {
    await ask();
    await world.call('finish', { wrapUp: 'solved', agentId: mara.id });
    for (const [operation, body] of [
      ['finish', { wrapUp: 'open', agentId: mara.id }],
      ['finish', { wrapUp: 'solved', agentId: noa.id }],
      ['return', {}],
      ['decline', {}],
    ] as const)
      assert.deepEqual([operation, (await world.call(operation, body)).body.code], [operation, 'over']);
  });
});
