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

describe('an activity as it is stored', () => {
  const kept: readonly (readonly [what: string, activity: { id: string }, left: object])[] = [
    ['the bot’s', { ...said, text: 'Hello' } as { id: string }, { type: 'message', text: 'Hello' }],
    ['the customer’s', { ...usual, id: '2', from: user, recipient: bot, text: 'hi' } as { id: string }, { type: 'message', text: 'hi' }],
  ];
  for (const [what, activity, left] of kept) {
    it(`keeps of ${what} what only it says`, () => {
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
  for (const [what, activity] of others) it(`is the same again: one ${what}`, () => assert.deepEqual(again(activity), activity));

  it('keeps its words readable beside its cards, and its size is that of the whole', () => {
    const activity = { ...said, summary: 'Pay', speak: 'Pay.', attachments: card };
    const row = packed(activity);
    assert.deepEqual(JSON.parse(row.activity), { type: 'message', summary: 'Pay' });
    assert.ok((row.card?.length ?? 0) < 200);
    assert.equal(row.size, Buffer.byteLength(JSON.stringify(activity)));
    assert.deepEqual(again(activity), activity);
  });

  it('can be read in every later version, so its dictionary is never changed', () => {
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

  it('is the same again, whatever it contains, in a chat that names its sides and in one that does not', () => {
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
