import assert from 'node:assert/strict';
import fc from 'fast-check';
import { message } from '../support/activities.ts';
import { stringsOf } from '../support/card-text.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { type Answered, type ChannelTalk, channelTalk, postActivity, submitsIn } from '../support/channel-talk.ts';
import { forgedSubmits, nonsense } from '../support/nonsense.ts';
import { anything, broken, plausible, runs } from '../support/odd-activities.ts';
import { type Uncaught, watchUncaught } from '../support/uncaught.ts';
import { startWhole, type Whole } from '../support/whole.ts';

let whole: Whole;
let channel: Channel;
let uncaught: Uncaught;

describe('a hostile client of the bot', () => {
  before(async () => {
    uncaught = watchUncaught();
    whole = await startWhole({ turnRate: { points: 100_000, seconds: 1 } });
    channel = await openChannel();
  });
  after(async () => {
    await whole.close();
    await channel.close();
    uncaught.release();
  });
  let linesBefore = 0;
  beforeEach(() => {
    linesBefore = whole.lines.length;
  });
  afterEach(() => {
    assert.deepEqual(uncaught.faults, []);
    assert.deepEqual(
      whole.lines.slice(linesBefore).filter((line) => line.includes('"level":"error"')),
      [],
    );
  });

  let conversations = 0;
  const customer = (user = 'user-1', more: Record<string, unknown> = {}): ChannelTalk => {
    conversations += 1;
    return channelTalk(whole, channel, { conversation: `conversation-${conversations}`, user, channelId: 'msteams', ...more });
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
    await talk.sees(/O••• \S\./);
    await talk.submit(talk.button('Electricity and gas, November'));
    await talk.sees(/Waiting for your payment/);
    await talk.say('cancel');
    await talk.sees(/Payment request cancelled/);
    await talk.sees(/What would you like to do/);
  };

  describe('over /api/messages', () => {
    it('can do the same as in the web chat', () => walksThrough(customer()));

    it('gets an answer to all nonsense, as text and as a submit', async () => {
      // A channel that takes as many answers as there are: Teams would not within these seconds.
      const talk = customer('user-1', { channelId: 'webchat' });
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

    it('gets an answer to an Action.Execute of its own, of another chat, and of none', async () => {
      const talk = customer();
      await talk.say('hello');
      const invoke = (value: unknown, name = 'adaptiveCard/action') => talk.post({ type: 'invoke', name, value });
      /** What then stands in the card’s place. */
      const inCard = async (value: unknown) => {
        const { status, body } = await invoke(value);
        assert.deepEqual([status, body.statusCode, body.type], [200, 200, 'application/vnd.microsoft.card.adaptive']);
        return stringsOf(body.value).join('\n');
      };
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
        assert.match(await inCard(value), /earlier step/);
      }
      assert.equal(talk.replies().length, 1);
      assert.match(
        await inCard(execute(submitsIn(talk.replies().slice(-1)).find(({ title }) => /^Pay a bill/.test(title))?.data)),
        /Your answer: Pay a bill/,
      );
      await talk.sees(/phone number/);
      // The protocol's own word for an invoke that this bot has no use for.
      assert.equal((await invoke({}, 'composeExtension/query')).status, 501);
    });

    it('cannot press another conversation’s buttons, nor speak in it under another channel', async () => {
      const victim = customer('victim');
      await victim.say('payments');
      await victim.say('+12025550113');
      await victim.sees(/O••• \S\./);
      const stolen = victim.button('Electricity and gas, November');
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
      await victim.sees(/Waiting for your payment/);
    });

    it('cannot begin anything where others can read the chat, nor use another customer’s card', async () => {
      const owner = customer('owner');
      await owner.say('payments');
      await owner.say('+12025550113');
      await owner.sees(/O••• \S\./);
      const stolen = owner.button('Electricity and gas, November');
      for (const conversation of [{ isGroup: true }, { conversationType: 'channel' }, { conversationType: 'groupChat' }]) {
        const id = `group-${Object.values(conversation)[0]}`;
        for (const user of ['owner', 'other']) {
          const member = channelTalk(whole, channel, { conversation: id, user });
          for (const fields of [{ text: 'payments' }, { text: '+12025550113' }, { text: '1' }, { value: stolen }, { text: 'agent' }]) {
            await member.post({ ...fields, conversation: { id, ...conversation } });
          }
          // Who does not address the bot is not answered at all; who does, once an hour.
          for (const { text } of member.replies()) assert.match(text ?? '', /Others can read this chat/);
        }
      }
      await owner.submit(stolen);
      await owner.sees(/Waiting for your payment/);
    });

    it('cannot write or press in a chat that somebody else started, even if the channel does not call it a group', async () => {
      const entra = { tenantId: 'tenant-1' };
      const owner = customer('29:owner', { from: { id: '29:owner', aadObjectId: 'aad-owner' }, locale: 'en-US' });
      await owner.say('payments');
      await owner.say('+12025550113');
      await owner.sees(/O••• \S\./);
      const bill = owner.button('Electricity and gas, November');
      const here = { conversation: { id: `conversation-${conversations}` } };
      const there = { conversation: { ...here.conversation, ...entra } };
      const others: [string, object][] = [
        ['another id', { ...here, from: { id: '29:other' } }],
        ['another person with the same id', { ...here, from: { id: '29:owner', aadObjectId: 'aad-other' } }],
      ];
      for (const [who, fields] of others) {
        for (const said of [{ value: bill }, { text: '1' }, { text: 'cancel', locale: 'es' }]) {
          const before = owner.replies().length;
          await owner.post({ ...fields, ...said });
          assert.match(
            owner
              .replies()
              .slice(before)
              .map(({ text }) => text)
              .join(),
            /^(Others can read this chat|Aquí pueden leer otras personas)[^,]*,[^,]*$/,
            who,
          );
        }
      }
      // The same person by another id, and in another place of the same tenant's.
      await owner.post({ ...there, from: { id: '29:owner-2', aadObjectId: 'aad-owner' }, value: bill });
      await owner.sees(/Waiting for your payment/);
    });

    it('gets an answer to any sequence of activities, and can continue afterwards', async function () {
      this.timeout(60_000);
      let talk = customer();
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(plausible, fc.option(broken, { freq: 3 })), { minLength: 1, maxLength: 6 }),
          async (activities) => {
            talk = customer();
            for (const [activity, fault] of activities) {
              const body: Record<string, unknown> = { ...activity, ...fault };
              const answer = await talk.post(body);
              // An invoke that nobody takes is answered with the protocol's own 501.
              if (answer.status !== 501 || body.type !== 'invoke') isAnswered(answer, JSON.stringify(body));
            }
            isAnswered(await talk.say('hello'), 'a greeting');
          },
        ),
        runs,
      );
      await walksThrough(talk);
    });

    it('gets an answer to whatever is submitted from any card', async function () {
      this.timeout(60_000);
      const talk = customer('user-1', { channelId: 'webchat' });
      await talk.say('payments');
      await fc.assert(
        fc.asyncProperty(fc.oneof(anything, fc.record({ action: anything }), fc.dictionary(fc.string(), anything)), async (value) => {
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
});
