import assert from 'node:assert/strict';
import type { DeskFlow } from '../../src/desk/index.ts';
import type { ChatEvent } from '../../src/desk/view.ts';
import { newUlid } from '../support/desk.ts';
import { flowsFolder } from '../support/flows.ts';
import { mara, openWorld, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

describe('a flow that an agent begins', function () {
  this.timeout(60_000);
  let world: World;
  let id: string;
  beforeEach(async () => {
    world = await openWorld('desk');
    await says('hello', 'agent');
    ({ id } = await until(() => world.desk().rows()[0], 'the conversation'));
    world.desk().watch(id);
    await world.desk().act(id, { kind: 'accept' });
  });
  afterEach(() => world.close());
  const says = async (...words: string[]) => {
    for (const text of words) await world.talk.say(text);
  };
  const begin = (flow = 'settle-bill', act = newUlid()) => world.desk().act(id, { kind: 'flow', id: act, flow });
  const events = <Type extends ChatEvent['type']>(type: Type) =>
    world
      .desk()
      .events(id)
      .filter((event): event is Extract<ChatEvent, { type: Type }> => event.type === type);
  const said = () => world.said().join('\n');

  it('asks the customer in the chat, and both see how it ends while the agent stays', async () => {
    const act = newUlid();
    assert.equal((await begin('settle-bill', act)).refused, undefined);
    assert.equal((await begin('settle-bill', act)).refused, undefined, 'the same again begins nothing');
    assert.equal(said().match(/Mara has started this for you: Settle a bill/g)?.length, 1);
    await says('+12025550110', 'yes');
    await until(() => events('outcome').some(({ app, status }) => app === 'passkeys' && status === 'success'), 'the verification');
    await until(() => /Charging pass/.test(world.said().at(-1) ?? ''), 'the choice');
    await says('charging pass', 'yes');
    await until(() => events('flow').length === 1, 'the end');
    assert.deepEqual(
      events('flow').map(({ flow, status }) => [flow, status]),
      [['settle-bill', 'success']],
    );
    assert.deepEqual(
      events('outcome').map(({ app, status }) => [app, status]),
      [
        ['passkeys', 'success'],
        ['payments', 'success'],
      ],
    );
    assert.deepEqual(
      events('started').map(({ agent, flow }) => [agent, flow]),
      [['Mara', 'settle-bill']],
    );
    // The agent has read what was asked and answered.
    assert.ok(events('bot').some(({ lines }) => lines.some((line) => /phone number/i.test(line))));
    assert.ok(events('message').some(({ message }) => message.text === 'charging pass'));
    const panel = await until(() => world.desk().panel(id), 'the panel');
    assert.deepEqual(new Set(panel.timeline.map(({ agent }) => agent)), new Set([mara.id]));
    // And the chat is the agent's as before.
    const before = world.said().length;
    await says('thank you, Mara');
    assert.equal(world.said().length, before);
    assert.equal((await world.desk().act(id, { kind: 'say', id: 'm1', text: 'You are welcome' })).refused, undefined);
    assert.equal(world.said().at(-1), 'You are welcome');
  });

  it('is stopped by the agent, and the customer is told that its question needs no answer', async () => {
    await begin();
    assert.equal((await world.desk().act(id, { kind: 'stop' })).refused, undefined);
    assert.match(world.said().at(-1) ?? '', /^Mara has stopped this\. You do not have to answer/);
    await until(() => events('flow').length === 1, 'the end');
    const before = world.said().length;
    assert.equal((await world.desk().act(id, { kind: 'stop' })).refused, undefined);
    assert.equal(world.said().length, before, 'there is nothing left to stop');
  });

  it('lets both write to each other while it waits for the customer’s device', async () => {
    await begin();
    await says('+12025550102', 'yes');
    await until(() => world.desk().panel(id)?.timeline[0]?.app === 'passkeys', 'the request');
    const before = world.said().length;
    await says('where do I find it?');
    await until(() => events('message').some(({ message }) => message.text === 'where do I find it?'), 'the words');
    assert.equal(world.said().length, before);
  });

  const stops: [string, () => Promise<unknown>][] = [
    ['the agent stops it', () => world.desk().act(id, { kind: 'stop' })],
    ['the customer does not want it', () => says('cancel')],
    ['the agent begins something else', () => begin('change-of-address')],
  ];
  for (const [when, stop] of stops) {
    it(`ends when ${when}, and the agent sees it`, async () => {
      await begin();
      await stop();
      await until(() => events('flow').length === 1, 'the end');
      assert.equal(events('flow')[0]?.status, 'cancelled');
    });
  }

  it('does not ask for a person if an agent is in the chat', async () => {
    await begin();
    await says('agent');
    assert.match(world.said().findLast((line) => /Mara/.test(line)) ?? '', /Mara is helping you in this chat/);
  });

  it('is refused for an unknown flow, or in a colleague’s conversation', async () => {
    assert.equal((await begin('no-such-flow')).refused, 'unknown_choice');
    await world.desk().act(id, { kind: 'return' });
    assert.equal((await begin()).refused, 'over');
  });

  it('is offered by its title in the agent’s language', async () => {
    const { value } = await world.desk().ask({ type: 'flows', language: 'es' });
    assert.ok((value as { flow: string; title: string }[]).some(({ flow, title }) => flow === 'settle-bill' && /factura/.test(title)));
  });

  it('keeps what fills in a document from the agent', async () => {
    await begin('open-account');
    await says('+12025550110', 'yes');
    await until(() => events('outcome').length > 0, 'the verification');
    await says('yes');
    await until(() => events('outcome').some(({ app }) => app === 'e-form'), 'the form');
    await until(() => /last step is your signature/.test(said()), 'the question');
    await says('Canary Person', 'Canary Street 1');
    await until(() => events('bot').length > 5, 'what is asked');
    assert.doesNotMatch(JSON.stringify(world.desk().frames), /Canary/);
  });
});

describe('a flow with required inputs', function () {
  this.timeout(60_000);
  let world: World;
  let id: string;
  const trial = [
    'title: Read a meter',
    'needs: { number: text, reading: number, day: date, how: text, why: text? }',
    'do:',
    "  - when: how == 'post'",
    '    do: [{ say: by post }]',
    '  - say: meter #{number} stands at #{reading}',
  ]
    .join('\n')
    .replaceAll('#{', '${');
  before(async () => {
    world = await openWorld('desk', { FLOWS_DIR: flowsFolder('read-meter', trial) });
    await world.talk.say('hello');
    await world.talk.say('agent');
    ({ id } = await until(() => world.desk().rows()[0], 'the conversation'));
    world.desk().watch(id);
    await world.desk().act(id, { kind: 'accept' });
  });
  after(() => world.close());
  const given = { number: 'M-17', reading: 42, day: '2026-11-22', how: 'phone' };
  const begin = (inputs?: object) => world.desk().act(id, { kind: 'flow', id: newUlid(), flow: 'read-meter', ...(inputs && { inputs }) });

  it('lists them with their types', async () => {
    const { value } = await world.desk().ask({ type: 'flows', language: 'en' });
    const asks = (value as DeskFlow[]).find(({ flow }) => flow === 'read-meter')?.asks;
    assert.deepEqual(asks, [
      { name: 'number', type: 'text' },
      { name: 'reading', type: 'number' },
      { name: 'day', type: 'date' },
      { name: 'how', type: 'text' },
    ]);
  });

  const lacking: [string, object | undefined][] = [
    ['nothing', undefined],
    ['less than that', { ...given, number: '' }],
    ['another kind', { ...given, reading: 'a lot' }],
    ['a day that there is not', { ...given, day: '2026-02-30' }],
    ['something else besides', { ...given, amount: 3 }],
  ];
  for (const [what, inputs] of lacking) {
    it(`is refused with ${what}`, async () => {
      assert.equal((await begin(inputs)).refused, 'blanks_missing');
    });
  }

  it('begins with them', async () => {
    assert.equal((await begin(given)).refused, undefined);
    await until(() => world.said().includes('meter M-17 stands at 42'), 'its words');
  });
});

describe('typing', function () {
  this.timeout(60_000);
  let world: World;
  afterEach(() => world.close());
  const join = async () => {
    await world.talk.say('agent');
    const { id } = await until(() => world.desk().rows()[0], 'the conversation');
    world.desk().watch(id);
    await world.desk().act(id, { kind: 'accept' });
    return id;
  };
  const typed = () => world.channel.received.filter(({ body }) => body?.type === 'typing').length;

  it('is shown to agents who look at the conversation, and stored nowhere', async () => {
    world = await openWorld('desk');
    const id = await join();
    const { length } = world.desk().events(id);
    await world.talk.post({ type: 'typing' });
    await until(() => world.desk().frames.some((frame) => frame.type === 'typing' && frame.id === id), 'the sign');
    assert.equal(world.desk().events(id).length, length);
  });

  it('is shown to the customer at a bounded pace, and only for the chat’s own agent', async () => {
    world = await openWorld('desk');
    const id = await join();
    const before = typed();
    for (let count = 0; count < 10; count += 1) world.desk().send({ type: 'typing', id });
    await until(() => typed() === before + 1, 'the sign');
    await world.desk().act(id, { kind: 'say', id: 'm1', text: 'Here' });
    assert.equal(typed(), before + 1);
  });

  it('is not sent if nobody would see it', async () => {
    world = await openWorld('desk');
    const id = await join();
    await world.desk().act(id, { kind: 'return' });
    const before = typed();
    world.desk().send({ type: 'typing', id });
    await world.desk().ask({ type: 'flows', language: 'en' });
    assert.equal(typed(), before);
  });
});
