import assert from 'node:assert/strict';
import { monotonicFactory } from 'ulid';
import { openChannel } from '../support/channel.ts';
import { mara, noa, openWorld, rulesFile, type World } from '../support/hubs.ts';
import { until } from '../support/until.ts';

const ulid = monotonicFactory();

describe('an agent at a platform', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld('webhook');
  });
  afterEach(() => world.close());
  const join = async () => {
    await world.talk.say('agent');
    await until(() => world.events('requested').length === 1, 'the request');
    await world.accept();
  };
  const heard = () => world.events('message').map(({ data }) => data.message.text);
  const write = (id: string, text: string) => world.call('messages', { id, text });
  const start = (more: object = {}) => world.call('interactions', { id: ulid(), app: 'payments', agentId: mara.id, ...more });

  it('is announced by name, once, however often they say that they are there', async () => {
    await join();
    const again = await world.accept();
    assert.deepEqual([(again as { status: number }).status, world.said().filter((said) => /Mara has joined/.test(said)).length], [200, 1]);
  });

  it('talks with the customer both ways, in order', async () => {
    await join();
    const words = Array.from({ length: 12 }, (_, index) => `sentence ${index}`);
    for (const [index, text] of words.entries()) {
      assert.equal((await write(`m${index}`, text)).status, 200);
      await world.talk.say(text);
    }
    assert.deepEqual(
      world.said().filter((said) => said.startsWith('sentence')),
      words,
    );
    await until(() => heard().length === words.length, 'all messages');
    assert.deepEqual(heard(), words);
    assert.deepEqual(
      world.platform.events.map(({ data }) => data.event.number),
      world.platform.events.map((_, index) => index + 1),
    );
  });

  it('does not get what their platform refuses for good, and the customer is told so, once for each message', async () => {
    await join();
    world.platform.answer = 410;
    await world.talk.say('my house is on fire');
    await until(() => world.said().some((said) => /did not reach our team\. Please write it again\./.test(said)), 'the truth');
    await world.talk.say('on fire');
    const told = () => world.said().filter((said) => /did not reach our team/.test(said)).length;
    await until(() => told() === 2, 'the truth again');
    world.platform.answer = 200;
    await world.talk.say('really');
    await until(() => heard().length === 1, 'the next message');
    assert.deepEqual([heard(), told()], [['really'], 2]);
  });

  it('sends a file, and gets one', async () => {
    await join();
    const file = { contentType: 'application/pdf', contentUrl: 'https://files.example.com/tariff.pdf', name: 'tariff.pdf' };
    await world.call('messages', { id: 'm1', text: 'Here it is.', attachments: [file] });
    assert.deepEqual(world.talk.replies().at(-1).attachments, [file]);
    await world.talk.post({
      attachments: [{ contentType: 'image/png', contentUrl: 'https://files.example.com/meter.png', name: 'meter.png' }],
    });
    await until(() => world.events('message').length === 1, 'the file');
    assert.deepEqual(world.events('message')[0].data.message.attachments, [
      { contentType: 'image/png', contentUrl: 'https://files.example.com/meter.png', name: 'files.example.com: meter.png' },
    ]);
  });

  it('gets all of a long message', async () => {
    await join();
    const long = `My meter. ${'It does not turn. '.repeat(100)}`.trim();
    await world.talk.say(long);
    await until(() => heard().length === 1, 'the message');
    assert.equal(heard()[0], long);
  });

  it('shows each message once, however often it is posted', async () => {
    await join();
    for (const text of ['Hello', 'Hello', 'Hello']) assert.equal((await write('m1', text)).status, 200);
    assert.equal(world.said().filter((said) => said === 'Hello').length, 1);
    await world.whole.stopBot();
    await world.whole.startBot();
    await write('m1', 'Hello');
    assert.equal(world.said().filter((said) => said === 'Hello').length, 1);
  });

  it('starts an app, whose result names them, and hears how it ends', async () => {
    await join();
    const id = ulid();
    const asked = { id, phoneNumber: '+12025550110', productId: 'ev-charging-pass' };
    const { status, body } = await start(asked);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((await start(asked)).status, 200);
    assert.match(world.said().join('\n'), /Mara has started this for you/);
    await until(() => world.events('outcome').length === 1, 'the outcome');
    const { outcome } = world.events('outcome')[0].data;
    assert.deepEqual(outcome, {
      interactionId: id,
      app: 'payments',
      status: 'success',
      requestId: body.interaction.requestId,
      customerRef: 'cust-0110-samira',
      phone: '+1•••0110',
      agentId: mara.id,
    });
    const { service } = world.whole;
    const result = await fetch(`${service.baseUrl}/results/${outcome.requestId}`, {
      headers: { authorization: `Bearer ${service.secretKey}` },
    });
    assert.equal(((await result.json()) as { agentId: string }).agentId, mara.id);
    assert.equal(world.talk.replies().filter(({ channelData }) => channelData?.interaction).length, 1);
    // The bot asks nothing after it.
    await world.talk.say('payments');
    await until(() => heard().includes('payments'), 'what the customer says');
  });

  it('starts one that fails, after which the bot stays silent', async () => {
    await join();
    assert.equal((await start({ phoneNumber: '+12025550111', productId: 'ev-charging-pass' })).status, 200);
    await until(() => world.events('outcome').length === 1, 'the outcome');
    await world.talk.say('what now?');
    await until(() => heard().includes('what now?'), 'what the customer says');
    assert.doesNotMatch(world.said().join('\n'), /What would you like to do now/);
  });

  it('has a customer verified, and gets the proof', async () => {
    await join();
    assert.equal((await start({ app: 'passkeys', phoneNumber: '+12025550110' })).status, 200);
    await until(() => world.events('outcome').length === 1, 'the outcome');
    const { data } = world.events('outcome')[0];
    assert.equal(data.verification.state, 'verified');
    const claims = await world.platform.check(data, 'urn:countersign');
    assert.deepEqual([claims.sub, claims.cs_verified_method], [data.verification.customerRef, 'passkeys']);
    // The number is that of the verified customer from now on.
    assert.equal((await start({ productId: 'ev-charging-pass' })).status, 200);
  });

  it('writes to the place where the customer wrote from last', async () => {
    await join();
    const elsewhere = await openChannel();
    try {
      await world.talk.post({ text: 'hello', serviceUrl: elsewhere.serviceUrl });
      const before = world.said().length;
      assert.equal((await world.call('messages', { id: 'm1', text: 'Good morning.' })).status, 200);
      const texts = elsewhere.received.map(({ body }) => body?.text);
      assert.deepEqual([texts, world.said().length], [['Good morning.'], before]);
    } finally {
      await elsewhere.close();
    }
  });

  it('never sees the passcode that the customer types for a request', async () => {
    await join();
    assert.equal((await start({ app: 'one-time-passcode', phoneNumber: '+12025550110' })).status, 200);
    await world.talk.say('hello, where is it?');
    await world.talk.say('it is 123456');
    await until(() => world.events('outcome').length === 1, 'the outcome');
    assert.equal(world.events('outcome')[0].data.outcome.status, 'success');
    await world.talk.say('4242 4242 4242 4242');
    await world.talk.say('or 654 321');
    await until(() => heard().length === 3, 'what may be heard');
    assert.deepEqual(heard(), ['hello, where is it?', '•••• •••• •••• ••••', 'or ••••••']);
    assert.doesNotMatch(JSON.stringify([world.platform.events, world.whole.lines]), /123456|4242.?4242|654.?321/);
  });

  it('never sees the parts of a passcode that the customer types one by one, before and after an agent comes', async () => {
    const { platform, talk } = world;
    const notACode = /The code has six characters/;
    await talk.say('one-time-passcode');
    await talk.say('+12025550110');
    for (const words of ['yes', 'yes', '7', 'acht', 'agent']) await talk.say(words);
    await until(() => world.events('requested').length === 1, 'the request');
    for (const part of ['nine', '7 8', 'خمسه']) await talk.say(part);
    await world.accept();
    for (const part of ['9', '７', '8.', 'neun', '78 97', 'تسعه']) {
      await talk.say(part);
      assert.match(world.said().at(-1) ?? '', notACode, part);
    }
    await talk.say('we are 3 people');
    await until(() => heard().includes('we are 3 people'), 'what may be heard');
    assert.doesNotMatch(JSON.stringify(platform.events), /"(?:[7-9]|7 8|acht|nine|neun|７|8\.|78 97|تسعه|خمسه)"/);
  });

  const refused: [string, object, number, string][] = [
    ['a number of nobody', { phoneNumber: '+12025550199', productId: 'ev-charging-pass' }, 422, 'unknown_customer'],
    ['a number of several, and none is named', { phoneNumber: '+12025550101', productId: 'ev-charging-pass' }, 422, 'unknown_customer'],
    ['no number at all', { productId: 'ev-charging-pass' }, 422, 'unknown_customer'],
    ['a product that is none', { phoneNumber: '+12025550110', productId: 'nothing' }, 422, 'unknown_choice'],
    ['no product', { phoneNumber: '+12025550110' }, 422, 'unknown_choice'],
    [
      'a document whose blanks are not filled in',
      { app: 'document-signature', phoneNumber: '+12025550110', documentId: '5d0c0000-0000-4000-8000-000000000001' },
      422,
      'blanks_missing',
    ],
    ['a service that refuses', { phoneNumber: '+12025550114', productId: 'ev-charging-pass' }, 502, 'service'],
  ];
  it('learns why nothing was started, and the customer sees nothing of it', async () => {
    await join();
    const before = world.said().length;
    for (const [what, more, status, code] of refused) {
      const answer = await start(more);
      assert.deepEqual([answer.status, answer.body.code], [status, code], what);
    }
    assert.equal(world.said().length, before);
  });

  it('learns what there is to choose, of products, documents, forms and flows', async () => {
    await join();
    const choicesOf = async (answer: ReturnType<typeof world.call>) => {
      const { body, status } = await answer;
      assert.deepEqual([status, body.code], [422, 'unknown_choice'], JSON.stringify(body));
      for (const { id, title } of body.choices) assert.ok(id && title, JSON.stringify(body.choices));
      return body.choices.map(({ id }: { id: string }) => id);
    };
    const of = (app: string) => choicesOf(start({ app, phoneNumber: '+12025550110' }));
    assert.ok((await of('payments')).includes('ev-charging-pass'));
    assert.ok((await of('document-signature')).includes('5d0c0000-0000-4000-8000-000000000001'));
    assert.ok((await of('e-form')).length > 0);
    const flows = await choicesOf(world.call('flows', { id: ulid(), flow: 'nothing', agentId: mara.id }));
    assert.deepEqual(flows.sort(), ['change-of-address', 'open-account', 'settle-bill']);
  });

  it('starts a flow, and reads along until it ends', async () => {
    await join();
    const flow = { id: ulid(), flow: 'settle-bill', agentId: mara.id };
    for (let times = 0; times < 2; times += 1) assert.equal((await world.call('flows', flow)).status, 200);
    await until(() => world.events('bot').length > 0, 'what the bot asks');
    assert.deepEqual(
      world.events('started').map(({ data }) => [data.flow, data.agentId]),
      [['settle-bill', mara.id]],
    );
    assert.equal((await world.call('flows', { ...flow, flow: 'open-account' })).body.code, 'id_taken');
    await world.talk.say('cancel');
    await until(() => world.events('flow').length === 1, 'the end');
    assert.equal(world.events('flow')[0].data.status, 'cancelled');
  });

  it('is seen typing', async () => {
    await join();
    const typing = () => world.talk.replies().filter(({ type }) => type === 'typing').length;
    const before = typing();
    assert.equal((await world.call('typing')).status, 200);
    assert.equal(typing(), before + 1);
  });

  it('is refused another message under an id that was used', async () => {
    await join();
    for (let times = 0; times < 2; times += 1) assert.equal((await write('m1', 'Your bill is 12.')).status, 200);
    const other = await write('m1', 'Your bill is 21.');
    assert.deepEqual([other.status, other.body.code], [409, 'id_taken']);
    const file = { contentType: 'application/pdf', contentUrl: 'https://files.example.com/tariff.pdf', name: 'tariff.pdf' };
    const more = await world.call('messages', { id: 'm1', text: 'Your bill is 12.', attachments: [file] });
    assert.equal(more.body.code, 'id_taken');
    assert.deepEqual(
      world.said().filter((said) => /^Your bill is/.test(said)),
      ['Your bill is 12.'],
    );
  });

  it('reads every instant in one format', async () => {
    await world.talk.say('hello');
    await join();
    assert.equal((await start({ app: 'passkeys', phoneNumber: '+12025550110' })).status, 200);
    await until(() => world.events('outcome').length === 1, 'the outcome');
    const instants: unknown[] = [];
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inside] of Object.entries(value)) {
        if (/^(?:at|until|timestamp)$|At$|_at$|_until$/.test(name)) instants.push(inside);
        else collect(inside);
      }
    };
    collect(world.events());
    assert.ok(instants.length > 10);
    for (const instant of instants) assert.match(String(instant), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('transfers the chat, which only its current agent can do', async () => {
    await join();
    assert.deepEqual((await world.accept(noa)) && (await world.call('accept', { agent: noa })).body.code, 'taken');
    assert.equal((await world.call('transfer', { agent: noa })).status, 200);
    assert.match(world.said().at(-1) ?? '', /Noa has taken over this chat/);
    assert.equal((await world.call('accept', { agent: noa })).status, 200);
  });

  it('returns the chat to the bot, and can do nothing in it afterwards', async () => {
    await join();
    assert.equal((await world.call('return')).body.handoff.ending, 'returned');
    assert.match(world.said().at(-1) ?? '', /I am here again/);
    for (const [operation, body] of [
      ['messages', { id: 'm1', text: 'Hello' }],
      ['accept', { agent: mara }],
      ['transfer', { agent: noa }],
      ['finish', {}],
    ] as [string, object][]) {
      const answer = await world.call(operation, body);
      assert.deepEqual([operation, answer.status, answer.body.code], [operation, 409, 'over']);
    }
  });

  it('finishes it with a wrap-up code', async () => {
    await join();
    const { body } = await world.call('finish', { wrapUp: 'solved' });
    assert.deepEqual([body.handoff.state, body.handoff.ending, body.handoff.wrapUp], ['over', 'finished', 'solved']);
  });

  it('hears that the customer went back to the bot, or left', async () => {
    await join();
    for (const words of ['menu', 'yes']) await world.talk.say(words);
    await until(() => world.events('ended').length === 1, 'the end');
    assert.deepEqual([world.events('ended')[0].data.ending, world.events('ended')[0].data.by], ['returned', 'customer']);
    await world.talk.say('agent');
    await until(() => world.events('requested').length === 2, 'the second request');
    await world.talk.post({ type: 'endOfConversation' });
    await until(() => world.events('ended').length === 2, 'the second end');
    assert.equal(world.events('ended')[1].data.ending, 'withdrawn');
  });

  it('gets an outcome that arrives after they have left', async () => {
    await join();
    await start({ phoneNumber: '+12025550112', productId: 'ev-charging-pass' });
    await world.call('finish');
    await until(() => world.events('outcome').length === 1, 'the outcome');
    assert.deepEqual([world.events('outcome')[0].data.outcome.status, world.events('outcome')[0].data.handoff.state], ['timeout', 'over']);
  });

  it('gets everything, in order, when the platform was down', async () => {
    await world.talk.say('agent');
    await until(() => world.events('requested').length === 1, 'the request');
    await world.accept();
    world.platform.answer = 503;
    for (const words of ['one', 'two', 'three']) await world.talk.say(words);
    await until(() => world.platform.posts.length >= 3, 'a second try');
    world.platform.answer = 204;
    await until(() => heard().length === 3, 'all of it');
    assert.deepEqual(heard(), ['one', 'two', 'three']);
  });

  it('gets stored events if the bot was stopped before it could deliver them', async () => {
    await join();
    world.platform.answer = 503;
    for (const words of ['one', 'two']) await world.talk.say(words);
    await world.whole.stopBot();
    world.platform.answer = 204;
    await world.whole.startBot();
    await until(() => heard().length === 2, 'all of it');
    assert.deepEqual(heard(), ['one', 'two']);
  });

  it('holds up no customer when the platform is slow', async () => {
    await join();
    const waiting: (() => void)[] = [];
    world.platform.answer = (res) => void waiting.push(() => res.end());
    const begun = performance.now();
    for (const words of ['one', 'two']) await world.talk.say(words);
    assert.ok(performance.now() - begun < 10_000);
    await until(() => waiting.length === 1, 'the first');
    assert.equal(world.platform.posts.length, 2);
    world.platform.answer = 204;
    for (const end of waiting) end();
    await until(() => heard().includes('two'), 'the second');
  });

  it('can read missed events any number of times', async () => {
    await join();
    for (const words of ['one', 'two']) await world.talk.say(words);
    const [{ data }] = world.events('requested');
    const read = async (after: number) => (await world.platform.get(`/handoff/${data.handoff.id}/events?after=${after}`)).body;
    assert.deepEqual(
      (await read(1)).events.map((event: { data: { message: { text: string } } }) => event.data.message.text),
      ['one', 'two'],
    );
    const { events, more } = await read(0);
    assert.deepEqual([events[0].type, events[0].data.event, more], ['handoff.requested', data.event, false]);
    assert.deepEqual(
      (await world.platform.get('/handoff')).body.handoffs.map(({ id }: { id: string }) => id),
      [data.handoff.id],
    );
  });

  it('is not waited for if the platform answers that it is gone', async () => {
    world.platform.answer = 410;
    await world.talk.say('agent');
    await until(() => world.said().some((said) => /nobody can join this chat right now/.test(said)), 'the truth');
  });
});

describe('asking for an agent, with handoff rules', () => {
  let world: World;
  afterEach(() => world.close());

  it('routes each chat to its hub', async () => {
    const HANDOFF_FILE = rulesFile(
      'rules:\n  - { hub: webhook, apps: [payments] }\n  - { hub: webhook, languages: [es] }\n  - hub: event\n',
    );
    world = await openWorld('webhook', { HANDOFF: 'event,webhook', HANDOFF_FILE });
    const initiated = () => world.talk.replies().filter(({ name }) => name === 'handoff.initiate').length;
    await world.talk.say('agent');
    assert.deepEqual([initiated(), world.events('requested').length], [1, 0]);
    await world.talk.post({ type: 'event', name: 'handoff.status', value: { state: 'completed' }, from: { id: 'hub' } });
    for (const words of ['payments', 'agent']) await world.talk.say(words);
    await until(() => world.events('requested').length === 1, 'the request');
    assert.equal(initiated(), 1);
  });

  it('tells the customer when nobody is available, and takes a message, which becomes a conversation', async () => {
    const HANDOFF_FILE = rulesFile('hours: { timeZone: Europe/Madrid, days: {} }\n');
    world = await openWorld('webhook', { HANDOFF_FILE, AGENT_CONTACT: '' });
    await world.talk.say('hello');
    assert.doesNotMatch(JSON.stringify(world.talk.replies()), /Talk to a person/);
    await world.talk.say('agent');
    assert.ok(world.said().some((said) => /Our team is not available at the moment\.\s+You can leave a message/.test(said)));
    for (const words of ['leave a message', 'My meter number is wrong, please call']) await world.talk.say(words);
    assert.ok(world.said().some((said) => /I have passed on your message/.test(said)));
    await until(() => world.events('requested').length === 1, 'the message');
    const { data } = world.events('requested')[0];
    assert.deepEqual([data.handoff.reason, data.note, data.handoff.dueAt], ['message', 'My meter number is wrong, please call', undefined]);
    assert.equal(((await world.accept()) as { status: number }).status, 200);
    assert.equal((await world.call('messages', { id: 'm1', text: 'It is put right.' })).status, 200);
    assert.equal(world.said().at(-1), 'It is put right.');
  });

  it('continues with the bot if the customer leaves no message', async () => {
    const HANDOFF_FILE = rulesFile('hours: { timeZone: Europe/Madrid, days: {} }\n');
    world = await openWorld('webhook', { HANDOFF_FILE });
    for (const words of ['agent', 'payments']) await world.talk.say(words);
    assert.match(world.said().at(-1) ?? '', /your phone number/i);
    for (const words of ['agent', 'leave a message', 'cancel']) await world.talk.say(words);
    assert.equal(world.events('requested').length, 0);
  });
});
