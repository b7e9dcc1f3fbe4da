import assert from 'node:assert/strict';
import { TurnContext } from 'botbuilder';
import fc from 'fast-check';
import { onLoopbackOnly, readActivity } from '../../src/bot/envelope.ts';
import { HttpProblem } from '../../src/platform/http/http-problem.ts';
import { message } from '../support/activities.ts';

describe('the envelope of an activity', () => {
  const read = (body: unknown) => readActivity(body, onLoopbackOnly);

  it('takes a message and makes dates of its times, with the originals beside them', () => {
    const activity = read(message({ expiration: '2026-11-21T08:00:00Z' }));
    assert.equal(activity.text, 'Hello');
    assert.equal(activity.timestamp?.getTime(), Date.parse('2026-11-20T08:00:00.123Z'));
    assert.equal(Object.entries(activity).find(([name]) => name === 'rawTimestamp')?.[1], '2026-11-20T08:00:00.1234567Z');
    assert.equal(activity.localTimestamp?.getTime(), activity.timestamp?.getTime());
    assert.ok(activity.expiration instanceof Date);
  });

  it('passes fields on that it does not know', () => {
    const channelData = { tenant: { id: 't' }, deep: [{ a: null }] };
    const activity = read(message({ channelData, value: 'x', brandNew: { a: 1 }, conversation: { id: 'c', extra: true } }));
    assert.deepEqual(activity.channelData, channelData);
    assert.equal(activity.value, 'x');
    assert.deepEqual((activity as unknown as Record<string, unknown>).brandNew, { a: 1 });
    assert.deepEqual(activity.conversation, { id: 'c', extra: true });
  });

  it('treats null as missing', () => {
    const nothing = { text: null, locale: null, attachments: null, entities: null, timestamp: null, replyToId: null, name: null };
    const activity = read(message({ ...nothing, conversation: { id: 'c', isGroup: null, name: null } }));
    for (const field of Object.keys(nothing)) assert.equal(activity[field as keyof typeof activity], undefined);
    assert.equal(activity.conversation.isGroup, undefined);
  });

  // Nobody's words are lost because of what stands beside them.
  const unreadable: [field: 'locale' | 'timestamp' | 'localTimestamp' | 'expiration' | 'localTimezone', values: unknown[]][] = [
    ['locale', ['', 'C', 'C.UTF-8', '../../etc', '12-34', 'x'.repeat(99), {}, 7]],
    ['timestamp', ['yesterday', 1, '2026-13-40T99:00:00Z']],
    ['localTimestamp', ['2026-13-40T99:00:00Z', []]],
    ['expiration', [{}, '']],
    ['localTimezone', [1, 'x'.repeat(1001)]],
  ];
  for (const [field, values] of unreadable)
    it(`leaves a ${field} out that cannot be read, and takes the message`, () => {
      for (const value of values) {
        const activity = read(message({ [field]: value }));
        assert.deepEqual([activity[field], activity.text], [undefined, 'Hello'], JSON.stringify(value));
      }
    });

  it('takes the first language of a list, and one with an encoding', () => {
    for (const [locale, first] of [
      ['en-US,en;q=0.9', 'en-US'],
      ['de;q=1', 'de'],
      ['pt_BR.UTF-8', 'pt_BR'],
      ['zh-Hant-TW', 'zh-Hant-TW'],
    ])
      assert.equal(read(message({ locale })).locale, first);
  });

  it('takes a channel that the Agents SDK has divided as the channel', () => {
    assert.equal(read(message({ channelId: 'msteams:COPILOT' })).channelId, 'msteams');
    for (const channelId of ['msteams:', ':COPILOT', 'a:b:c', 'a:b/c'])
      assert.throws(() => read(message({ channelId })), HttpProblem, channelId);
  });

  it('drops the callerId that a request claims', () => {
    assert.equal('callerId' in read(message({ callerId: 'urn:botframework:azure' })), false);
  });

  it('passes on only what the SDK can read', () => {
    const activity = read(
      message({ entities: [{ type: 'mention', mentioned: { id: 'bot-1' }, text: '<at>Bot</at>' }], text: '<at>Bot</at> hi' }),
    );
    assert.equal(TurnContext.removeRecipientMention(activity), 'hi');
    assert.equal(TurnContext.getConversationReference(activity).conversation?.id, 'conversation-1');
  });

  for (const type of ['typing', 'conversationUpdate', 'endOfConversation', 'messageReaction', 'installationUpdate']) {
    it(`takes an activity of type ${type}`, () => assert.equal(read(message({ type, text: undefined })).type, type));
  }
  for (const type of ['event', 'invoke']) {
    it(`takes an activity of type ${type} that has a name`, () => assert.equal(read(message({ type, name: 'x' })).type, type));
  }

  const without = (field: string) => Object.fromEntries(Object.entries(message()).filter(([name]) => name !== field));
  const account = { id: 'x' };
  const wrong: [what: string, body: unknown, path: string][] = [
    ['nothing', undefined, ''],
    ['null', null, ''],
    ['a text', 'x', ''],
    ['a number', 1, ''],
    ['a list', [message()], ''],
    ['an empty object', {}, 'type'],
    ['no type', without('type'), 'type'],
    ['an empty type', message({ type: '' }), 'type'],
    ['a type that is no text', message({ type: 1 }), 'type'],
    ['an unknown type', message({ type: 'nonsense' }), 'type'],
    ['a type in capitals', message({ type: 'MESSAGE' }), 'type'],
    ["the SDK's own delay", message({ type: 'delay', value: 1e9 }), 'type'],
    ['an invoke response', message({ type: 'invokeResponse' }), 'type'],
    ['a trace', message({ type: 'trace' }), 'type'],
    ['the name of a method as type', message({ type: 'constructor' }), 'type'],
    ['an event without a name', message({ type: 'event' }), 'name'],
    ['an invoke without a name', message({ type: 'invoke', name: '' }), 'name'],
    ['an empty id', message({ id: '' }), 'id'],
    ['an id that is no text', message({ id: {} }), 'id'],
    ['a long id', message({ id: 'x'.repeat(1001) }), 'id'],
    ['an id with a control character', message({ id: 'a\u0000b' }), 'id'],
    ['a replyToId that is no text', message({ replyToId: 7 }), 'replyToId'],
    ['no channel', without('channelId'), 'channelId'],
    ['an empty channel', message({ channelId: '' }), 'channelId'],
    ['a channel with a slash', message({ channelId: '../x' }), 'channelId'],
    ['a channel with a line feed', message({ channelId: 'test\n' }), 'channelId'],
    ['a long channel', message({ channelId: 'x'.repeat(33) }), 'channelId'],
    ['a channel that is a list', message({ channelId: ['test'] }), 'channelId'],
    ['no service URL', without('serviceUrl'), 'serviceUrl'],
    ['an empty service URL', message({ serviceUrl: '' }), 'serviceUrl'],
    ['a service URL that is no text', message({ serviceUrl: {} }), 'serviceUrl'],
    ['a service URL elsewhere', message({ serviceUrl: 'https://evil.example/' }), 'serviceUrl'],
    ["our own Direct Line's service URL", message({ serviceUrl: 'urn:countersign:directline' }), 'serviceUrl'],
    ['no conversation', without('conversation'), 'conversation'],
    ['a conversation that is a text', message({ conversation: 'c' }), 'conversation'],
    ['a conversation that is null', message({ conversation: null }), 'conversation'],
    ['a conversation without an id', message({ conversation: {} }), 'conversation.id'],
    ['an empty conversation id', message({ conversation: { id: '' } }), 'conversation.id'],
    ['a long conversation id', message({ conversation: { id: 'x'.repeat(501) } }), 'conversation.id'],
    ['a conversation id of half a character', message({ conversation: { id: '\ud800' } }), 'conversation.id'],
    ['a conversation that is a group of text', message({ conversation: { id: 'c', isGroup: 'yes' } }), 'conversation.isGroup'],
    ['no sender', without('from'), 'from'],
    ['a sender without an id', message({ from: { name: 'x' } }), 'from.id'],
    ['a sender whose id is a number', message({ from: { id: 1 } }), 'from.id'],
    ['no recipient', without('recipient'), 'recipient'],
    ['a recipient that is a text', message({ recipient: 'bot' }), 'recipient'],
    ['a text that is a list', message({ text: ['x'] }), 'text'],
    ['attachments that are no list', message({ attachments: { length: 1 } }), 'attachments'],
    ['an attachment that is null', message({ attachments: [null] }), 'attachments.0'],
    ['an attachment without a type', message({ attachments: [{}] }), 'attachments.0.contentType'],
    ['too many attachments', message({ attachments: Array(51).fill({ contentType: 'a/b' }) }), 'attachments'],
    ['an entity that is null', message({ entities: [null] }), 'entities.0'],
    ['an entity without a type', message({ entities: [{}] }), 'entities.0.type'],
    ['members that are no list', message({ type: 'conversationUpdate', membersAdded: 'x' }), 'membersAdded'],
    ['a member without an id', message({ membersRemoved: [account, {}] }), 'membersRemoved.1.id'],
    ['too many members', message({ membersAdded: Array(1001).fill(account) }), 'membersAdded'],
    ['a reaction that is a text', message({ reactionsAdded: ['like'] }), 'reactionsAdded.0'],
    ['a delivery mode that is an object', message({ deliveryMode: {} }), 'deliveryMode'],
    ['suggested actions that are a list', message({ suggestedActions: 'x' }), 'suggestedActions'],
    ['a prototype', JSON.parse(`{"__proto__":{"type":"message"},${JSON.stringify(message()).slice(1)}`), '__proto__'],
    [
      'a prototype deep inside',
      JSON.parse(JSON.stringify(message({ channelData: { a: [{}] } })).replace('[{}]', '[{"__proto__":1}]')),
      '__proto__',
    ],
  ];
  for (const [what, body, path] of wrong) {
    it(`refuses ${what}`, () => {
      assert.throws(
        () => read(body),
        (fault) => {
          assert.ok(fault instanceof HttpProblem);
          assert.deepEqual([fault.status, fault.code], [400, 'invalid_activity']);
          assert.ok(
            fault.errors?.some((error) => error.path === path),
            JSON.stringify(fault.errors),
          );
          return true;
        },
      );
    });
  }

  it('throws no other error, whatever it is given', () => {
    const fields = Object.keys(message({ attachments: [], entities: [], membersAdded: [], value: 1, channelData: {} }));
    fc.assert(
      fc.property(fc.constantFrom(...fields), fc.anything(), (field, value) => {
        try {
          read(message({ [field]: value }));
        } catch (fault) {
          assert.ok(fault instanceof HttpProblem, String(fault));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('accepts words of any length: only the body is limited', () => {
    const text = 'x'.repeat(250_000);
    assert.equal(read(message({ text })).text, text);
  });

  it('lists twenty errors at most', () => {
    assert.throws(
      () => read(message({ attachments: Array(50).fill({}) })),
      (fault) => fault instanceof HttpProblem && fault.errors?.length === 20,
    );
  });
});
