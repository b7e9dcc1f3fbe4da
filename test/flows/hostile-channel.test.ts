import assert from 'node:assert/strict';
import fc from 'fast-check';
import { message } from '../support/activities.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { type Answered, type ChannelTalk, channelTalk, postActivity, submitsIn } from '../support/channel-talk.ts';
import { forgedSubmits, nonsense } from '../support/nonsense.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { startWhole, type Whole } from '../support/whole.ts';

/** Runs of each property. Their seed is printed with a failure, and can be given again here. */
const runs = { numRuns: 150, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false };

let whole: Whole;
let channel: Channel;
const uncaught: unknown[] = [];
const catches = (fault: unknown) => void uncaught.push(fault);

describe('whoever posts to the bot', () => {
  before(async () => {
    process.on('unhandledRejection', catches);
    process.on('uncaughtExceptionMonitor', catches);
    whole = await startWhole({ turnRate: { turns: 100_000, seconds: 1 } });
    channel = await openChannel();
  });
  after(async () => {
    await whole.close();
    await channel.close();
    process.off('unhandledRejection', catches);
    process.off('uncaughtExceptionMonitor', catches);
  });
  let linesBefore = 0;
  beforeEach(() => {
    linesBefore = whole.lines.length;
  });
  afterEach(() => {
    assert.deepEqual(uncaught, []);
    assert.deepEqual(
      whole.lines.slice(linesBefore).filter((line) => line.includes('"level":"error"')),
      [],
    );
  });

  let conversations = 0;
  const customer = (user = 'user-1', more: Record<string, unknown> = {}): ChannelTalk => {
    conversations += 1;
    return channelTalk(whole, channel, { conversation: `conversation-${conversations}`, user, ...more });
  };

  /** Taken, or refused with a problem: nothing in between, and nothing about the inside. */
  const isAnswered = ({ status, body }: Answered, what: string) => {
    const detail = `${what}: ${status} ${JSON.stringify(body)}`;
    assert.ok(status < 500, detail);
    if (status < 300) return;
    assert.ok(status >= 400, detail);
    assert.match(body.code, /^[a-z_]+$/, detail);
    assert.equal(body.status, status, detail);
    assert.match(body.detail, /^[A-Z].*\.$/, detail);
    assert.doesNotMatch(JSON.stringify(body), /Error:|\.ts|node_modules|\\n +at /, detail);
  };

  /** A whole payment up to the waiting card, and back. */
  const walksThrough = async (talk: ChannelTalk) => {
    await talk.say('start over');
    await talk.say('payments');
    await talk.say('+12025550113');
    await talk.sees(/Are you O/);
    await talk.submit(talk.button('Yes'));
    await talk.say('1');
    await talk.submit(talk.button('Send'));
    await talk.sees(/Waiting for your payment/);
    await talk.say('cancel');
    await talk.sees(/Payment request cancelled/);
    await talk.sees(/What would you like to do/);
  };

  describe('over /api/messages', () => {
    it('can do everything that is done in the web chat', () => walksThrough(customer()));

    it('gets an answer to all nonsense, as text and as a submit', async () => {
      const talk = customer();
      await talk.say('hello');
      await talk.say('payments');
      const posts: [string, Record<string, unknown>][] = [
        ...nonsense.map(([what, text]): [string, Record<string, unknown>] => [what, { text }]),
        ...forgedSubmits('x').map(([what, value]): [string, Record<string, unknown>] => [what, { value }]),
        ['an empty message', { text: '' }],
        ['a picture', { attachments: [{ contentType: 'image/png', contentUrl: 'https://evil.example/x.png' }] }],
      ];
      for (const [what, fields] of posts) {
        const before = talk.replies().length;
        const answer = await talk.post(fields);
        isAnswered(answer, what);
        if (answer.status === 200) assert.ok(talk.replies().length > before, `no answer to ${what}`);
      }
      await walksThrough(talk);
    });

    const bodies: [string, string | Buffer, Record<string, string>, number][] = [
      ['nothing', '', {}, 400],
      ['broken JSON', '{"type":"message"', {}, 400],
      ['bytes', Buffer.from([0xff, 0xfe, 0x00]), {}, 400],
      ['a form', 'type=message', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
      ['text', 'hello', { 'content-type': 'text/plain' }, 415],
      ['something compressed', '{}', { 'content-encoding': 'gzip' }, 415],
      ['a megabyte', JSON.stringify(message({ text: 'x'.repeat(1024 * 1024) })), {}, 413],
      ['a nest', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`, {}, 400],
      ['a deep nest', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, {}, 400],
    ];
    for (const [what, body, headers, status] of bodies) {
      it(`is refused with ${status} for ${what}`, async () => {
        const answer = await postActivity(whole, body, headers);
        isAnswered(answer, what);
        assert.equal(answer.status, status);
      });
    }

    it('is answered an Action.Execute of ours, of others, and of nobody', async () => {
      const talk = customer();
      await talk.say('hello');
      const invoke = (value: unknown, name = 'adaptiveCard/action') => talk.post({ type: 'invoke', name, value });
      const taken = { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '' };
      const execute = (data: unknown) => ({ action: { type: 'Action.Execute', verb: 'x', data }, trigger: 'manual' });
      for (const value of [
        execute({ action: 'forged' }),
        execute('x'),
        execute(null),
        {},
        null,
        'x',
        7,
        [],
        { action: null },
        { action: 'x' },
      ]) {
        assert.deepEqual(await invoke(value), { status: 200, body: taken });
        await talk.sees(/earlier step/);
      }
      assert.deepEqual(await invoke(execute(submitsIn(talk.replies().slice(-1)).find(({ title }) => /^Payments/.test(title))?.data)), {
        status: 200,
        body: taken,
      });
      await talk.sees(/phone number/);
      // The protocol's own word for an invoke that this bot has no use for.
      assert.equal((await invoke({}, 'composeExtension/query')).status, 501);
    });

    it('cannot press another conversation’s buttons, nor speak in it under another channel', async () => {
      const victim = customer('victim');
      await victim.say('payments');
      await victim.say('+12025550113');
      await victim.sees(/Are you O/);
      const stolen = victim.button('Yes');
      const thief = customer('thief');
      await thief.say('payments');
      await thief.say('+12025550113');
      await thief.submit(stolen);
      await thief.sees(/earlier step/);
      // The same conversation id on another channel is another conversation.
      const before = victim.replies().length;
      await victim.post({ value: stolen, channelId: 'other' });
      await victim.sees(/How can I help you/);
      assert.ok(victim.replies().length > before);
      await victim.submit(stolen);
      await victim.sees(/pay for\?/);
    });

    // What an activity may hold in any place. Depth and size stay under the limits, which have tests of their own.
    const anything = fc.jsonValue({ maxDepth: 3 });
    const odd = fc.oneof(
      anything,
      fc.string({ maxLength: 50, unit: 'binary' }),
      fc.constantFrom('__proto__', 'constructor', '', 'x'.repeat(2000), -1, 1e308, null, true, [], {}),
    );
    const words = fc.constantFrom(
      'payments',
      '+12025550113',
      'yes',
      '1',
      'cancel',
      'sign',
      'help',
      'start over',
      ...nonsense.map(([, text]) => text),
    );
    const known = fc.record(
      {
        type: fc.constantFrom(
          'message',
          'message',
          'message',
          'event',
          'invoke',
          'typing',
          'conversationUpdate',
          'endOfConversation',
          'handoff',
        ),
        text: fc.oneof(words, fc.string({ maxLength: 200, unit: 'binary' })),
        name: fc.constantFrom('adaptiveCard/action', 'x', 'constructor'),
        value: odd,
        locale: fc.constantFrom('en', 'es-MX', 'xx', '', 'zh-Hant-TW', 'de_DE'),
        localTimezone: fc.constantFrom('Europe/Madrid', 'Mars/Olympus', ''),
        membersAdded: fc.array(fc.record({ id: fc.constantFrom('user-1', 'bot-1') }), { maxLength: 3 }),
        attachments: fc.array(fc.record({ contentType: fc.string() }), { maxLength: 3 }),
        channelData: odd,
        entities: fc.array(fc.record({ type: fc.string(), value: anything }), { maxLength: 3 }),
        textFormat: fc.constantFrom('plain', 'markdown', 'nonsense'),
        deliveryMode: fc.constantFrom('normal', 'notification', 'expectReplies', 'ephemeral'),
        replyToId: fc.string({ maxLength: 20 }),
      },
      { requiredKeys: ['type'] },
    );
    const fields = [
      'type',
      'id',
      'channelId',
      'conversation',
      'from',
      'recipient',
      'text',
      'value',
      'locale',
      'attachments',
      'timestamp',
      'serviceUrl',
    ];
    const broken = fc.record({ field: fc.constantFrom(...fields, '__proto__', 'brandNew'), value: odd });

    it('is answered whatever activities come, one after the other, and can go on afterwards', async function () {
      this.timeout(60_000);
      let talk = customer();
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(known, fc.option(broken, { freq: 3 })), { minLength: 1, maxLength: 6 }), async (activities) => {
          talk = customer();
          for (const [activity, fault] of activities) {
            const body = { ...activity, ...(fault && JSON.parse(`{${JSON.stringify(fault.field)}:${JSON.stringify(fault.value)}}`)) };
            const answer = await talk.post(body);
            // An invoke that nobody takes is answered with the protocol's own 501.
            if (answer.status !== 501 || body.type !== 'invoke') isAnswered(answer, JSON.stringify(body));
          }
          isAnswered(await talk.say('hello'), 'a greeting');
        }),
        runs,
      );
      await walksThrough(talk);
    });

    it('is answered whatever is submitted from any card', async function () {
      this.timeout(60_000);
      const talk = customer();
      await talk.say('payments');
      await fc.assert(
        fc.asyncProperty(fc.oneof(odd, fc.record({ action: odd }), fc.dictionary(fc.string(), odd)), async (value) => {
          const before = talk.replies().length;
          const answer = await talk.submit(value);
          isAnswered(answer, JSON.stringify(value));
          if (answer.status === 200) assert.ok(talk.replies().length > before);
        }),
        runs,
      );
      await walksThrough(talk);
    });
  });

  describe('over Direct Line', () => {
    let talk: Talk;
    beforeEach(async () => {
      talk = await talkTo(whole);
    });
    afterEach(() => talk.chatter.socket.terminate());

    const tooMuch: [string, object][] = [
      ['words beyond what a bot takes', { type: 'message', text: 'x'.repeat(20_001) }],
      ['a very long message', { type: 'message', text: 'x'.repeat(200_000) }],
      ['an event without a name', { type: 'event', value: 1 }],
      ['a language that is none', { type: 'message', text: 'hi', locale: '12-34' }],
      ['a long type of an entity', { type: 'message', text: 'hi', entities: [{ type: 'x'.repeat(2000) }] }],
      ['a type it does not know', { type: 'invoke', name: 'x' }],
      ['no type', { text: 'hi' }],
      ['a text that is none', { type: 'message', text: { a: 1 } }],
      ['a list', [] as object],
    ];
    for (const [what, activity] of tooMuch) {
      it(`is refused with 400 for ${what}, and nothing of it stays`, async () => {
        const reply = await talk.chatter.post(activity);
        assert.equal(reply.status, 400, JSON.stringify(reply.body));
        assert.equal(reply.body.error.code, 'BadArgument');
        await talk.say('payments');
        await talk.sees(/phone number/);
        const shown = talk.chatter.sets.flatMap(({ activities }) => activities).filter(({ from }) => from.role === 'user');
        assert.deepEqual(
          shown.map(({ text }) => text),
          ['payments'],
        );
      });
    }

    it('is refused with 400 for a prototype in a value', async () => {
      const reply = await fetch(
        `http://127.0.0.1:${whole.bot().port}/v3/directline/conversations/${talk.chatter.conversationId}/activities`,
        {
          method: 'POST',
          headers: { authorization: `Bearer ${talk.chatter.token}`, 'content-type': 'application/json' },
          body: '{"type":"message","value":{"__proto__":{"action":"x"}}}',
        },
      );
      assert.equal(reply.status, 400);
      await talk.say('payments');
      await talk.sees(/phone number/);
    });

    it('is answered whatever it posts, and can go on afterwards', async function () {
      this.timeout(60_000);
      const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ maxLength: 50, unit: 'binary' }));
      const activity = fc.record(
        {
          type: fc.constantFrom('message', 'message', 'event', 'typing', 'nonsense'),
          text: fc.oneof(fc.string({ maxLength: 100, unit: 'binary' }), fc.constantFrom(...nonsense.map(([, text]) => text))),
          value: odd,
          name: odd,
          locale: fc.oneof(fc.constantFrom('en', 'es', 'xx'), odd),
          localTimestamp: odd,
          localTimezone: odd,
          attachments: fc.oneof(fc.array(fc.record({ contentType: fc.string(), contentUrl: odd, content: odd }), { maxLength: 2 }), odd),
          entities: odd,
          channelData: odd,
          from: odd,
          conversation: odd,
        },
        { requiredKeys: ['type'] },
      );
      await fc.assert(
        fc.asyncProperty(activity, async (body) => {
          const { status, body: answer } = await talk.chatter.post(body);
          assert.ok(status < 500, `${status} ${JSON.stringify(answer)}`);
          if (status >= 300) assert.match(answer.error.code, /^[A-Z][A-Za-z]+$/);
        }),
        runs,
      );
      await talk.say('start over');
      await talk.say('payments');
      await talk.sees(/phone number/);
    });
  });
});

describe('whoever posts too fast', () => {
  it('is told so by Direct Line with 429 and when to come back, and is answered then', async () => {
    const slow = await startWhole({ turnRate: { turns: 4, seconds: 1 } });
    try {
      const talk = await talkTo(slow);
      const replies = [];
      for (let count = 0; count < 6; count += 1) replies.push(await talk.chatter.say('hello', `c-${count}`));
      const refused = replies.findIndex(({ status }) => status !== 200);
      assert.ok(refused > 0);
      const { status, body, headers } = replies[refused] as (typeof replies)[0];
      assert.equal(status, 429);
      assert.equal(body.error.code, 'TooManyRequests');
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
      // Sent again under its own name it is taken, once.
      await until(async () => (await talk.chatter.say('hello', `c-${refused}`)).status === 200, 'it is taken');
      assert.ok(!slow.lines.some((line) => line.includes('"level":"error"')));
    } finally {
      await slow.close();
    }
  });
});
