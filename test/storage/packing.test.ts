import assert from 'node:assert/strict';
import fc from 'fast-check';
import { inflated } from '../../src/storage/deflated.ts';
import { pack, unpack } from '../../src/storage/packing.ts';

const bot = { id: 'countersign', name: 'Countersign', role: 'bot' };
const user = { id: 'dl_user', role: 'user' };
const chat = { id: 'chat', userId: 'dl_user', sides: { channelId: 'directline', bot } };
const usual = { type: 'message', channelId: 'directline', conversation: { id: 'chat' }, timestamp: '2026-11-22T16:08:28.707Z' };
const said = { ...usual, id: '1', from: bot, recipient: user };
const card = [{ contentType: 'application/vnd.microsoft.card.adaptive', content: { body: 'x'.repeat(400) } }];

const packed = (activity: { id: string }, of = chat) => pack(activity, of);
const again = (activity: { id: string }, of = chat) => unpack(activity.id, packed(activity, of), of);

describe('a stored activity', () => {
  const kept: readonly (readonly [what: string, activity: { id: string }, left: object])[] = [
    ['the bot’s', { ...said, text: 'Hello' } as { id: string }, { type: 'message', text: 'Hello' }],
    ['the customer’s', { ...usual, id: '2', from: user, recipient: bot, text: 'hi' } as { id: string }, { type: 'message', text: 'hi' }],
  ];
  for (const [what, activity, left] of kept) {
    it(`stores of ${what} only what it does not share with the chat`, () => {
      assert.deepEqual(JSON.parse(packed(activity).activity), left);
      assert.deepEqual(again(activity), activity);
    });
  }

  const others: readonly (readonly [what: string, activity: { id: string }])[] = [
    ['that is from somebody else', { ...said, from: { id: 'agent', role: 'bot' } } as { id: string }],
    ['that is to nobody', { ...usual, id: '3', from: user } as { id: string }],
    ['in another conversation', { ...said, conversation: { id: 'chat', name: 'other' } } as { id: string }],
    ['of another channel', { ...said, channelId: 'other' } as { id: string }],
    ['of a moment in another form', { ...said, timestamp: '2026-11-22T16:08:28.7071234Z' } as { id: string }],
    ['of no moment', { id: '4', from: bot } as { id: string }],
  ];
  for (const [what, activity] of others) it(`is restored exactly: one ${what}`, () => assert.deepEqual(again(activity), activity));

  it('keeps its text readable beside its cards, and counts its full size', () => {
    const activity = { ...said, summary: 'Pay', speak: 'Pay.', attachments: card };
    const row = packed(activity);
    assert.deepEqual(JSON.parse(row.activity), { type: 'message', summary: 'Pay' });
    assert.ok((row.card?.length ?? 0) < 200);
    assert.equal(row.size, Buffer.byteLength(JSON.stringify(activity)));
    assert.deepEqual(again(activity), activity);
  });

  it('uses a dictionary that never changes, so that later versions can read it', () => {
    const stored = 'WGYmcIWaq4ZXCAGJmSlWCo+a1hga6ZkagEpz7D7E7VJUq2prY2sB7+MfxQ==';
    const json = '{"speak":"Paid: €12.50","attachments":[{"content":{"type":"AdaptiveCard","version":"1.2"}}]}';
    assert.equal(inflated(Buffer.from(stored, 'base64')), json);
  });

  const unpacked: readonly (readonly [what: string, activity: { id: string }])[] = [
    [
      'where there is little to pack',
      { ...said, attachments: [{ contentType: 'text/plain', content: 'x'.repeat(300) }] } as { id: string },
    ],
    ['where the customer sent it', { ...said, from: user, attachments: card } as { id: string }],
  ];
  for (const [where, activity] of unpacked) {
    it(`has no card ${where}`, () => {
      assert.equal(packed(activity).card, null);
      assert.deepEqual(again(activity), activity);
    });
  }

  it('is restored exactly, whatever it contains, in chats with and without known participants', () => {
    const part = fc.jsonValue();
    const activities = fc.record(
      {
        id: fc.string(),
        type: part,
        text: fc.string({ unit: 'grapheme' }),
        from: fc.oneof(part, fc.constant(bot), fc.constant(user)),
        recipient: fc.oneof(part, fc.constant(bot), fc.constant(user)),
        conversation: fc.oneof(part, fc.constant({ id: 'chat' })),
        channelId: fc.oneof(part, fc.constant('directline')),
        timestamp: fc.oneof(
          part,
          fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        ),
        attachments: fc.oneof(part, fc.constant(card)),
        channelData: part,
        __proto__: part,
      },
      { requiredKeys: ['id'] },
    );
    const { sides: _, ...unnamed } = chat;
    fc.assert(
      fc.property(activities, fc.boolean(), (drawn, named) => {
        const activity = JSON.parse(JSON.stringify(drawn));
        const of = named ? chat : (unnamed as typeof chat);
        assert.deepEqual(again(activity, of), activity);
        assert.equal(packed(activity, of).size, Buffer.byteLength(JSON.stringify(activity)));
      }),
    );
  });
});
