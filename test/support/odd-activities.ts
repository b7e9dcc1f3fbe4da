// Activities of every kind for property tests: plausible ones, and single fields of them replaced by anything.
import fc from 'fast-check';
import { nonsense } from './nonsense.ts';

/** Runs of each property. Their seed is printed with a failure, and can be given again here. */
export const runs = { numRuns: 150, interruptAfterTimeLimit: 15_000, markInterruptAsFailure: false };

/** Any JSON value. Depth and size stay under the limits, which have their own tests. */
export const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ maxLength: 50, unit: 'binary' }),
  fc.constantFrom('__proto__', 'constructor', '', 'x'.repeat(2000), -1, 1e308, null, true, [], {}),
);

const pasted = nonsense.map(([, text]) => text);
const words = fc.constantFrom('payments', '+12025550113', '1', 'cancel', 'sign', 'help', 'start over', ...pasted);

/** Activities as channels send them. */
export const plausible = fc.record(
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
    value: anything,
    locale: fc.constantFrom('en', 'es-MX', 'xx', '', 'zh-Hant-TW', 'de_DE'),
    localTimezone: fc.constantFrom('Europe/Madrid', 'Mars/Olympus', ''),
    membersAdded: fc.array(fc.record({ id: fc.constantFrom('user-1', 'bot-1') }), { maxLength: 3 }),
    attachments: fc.array(fc.record({ contentType: fc.string() }), { maxLength: 3 }),
    channelData: anything,
    entities: fc.array(fc.record({ type: fc.string(), value: anything }), { maxLength: 3 }),
    textFormat: fc.constantFrom('plain', 'markdown', 'nonsense'),
    deliveryMode: fc.constantFrom('normal', 'notification', 'expectReplies', 'ephemeral'),
    replyToId: fc.string({ maxLength: 20 }),
  },
  { requiredKeys: ['type'] },
);

const addressing = ['type', 'id', 'channelId', 'conversation', 'from', 'recipient', 'serviceUrl', 'timestamp'];
const content = ['text', 'value', 'locale', 'attachments', '__proto__', 'brandNew'];

/** One field, and its replacement as parsed JSON. */
export const broken = fc
  .record({ field: fc.constantFrom(...addressing, ...content), value: anything })
  .map(({ field, value }): Record<string, unknown> => JSON.parse(`{${JSON.stringify(field)}:${JSON.stringify(value)}}`));

/** Posts of a page to Direct Line. */
export const posted = fc.record(
  {
    type: fc.constantFrom('message', 'message', 'event', 'typing', 'nonsense'),
    text: fc.oneof(fc.string({ maxLength: 100, unit: 'binary' }), fc.constantFrom(...pasted)),
    value: anything,
    name: anything,
    locale: fc.oneof(fc.constantFrom('en', 'es', 'xx'), anything),
    localTimestamp: anything,
    localTimezone: anything,
    attachments: fc.oneof(
      fc.array(fc.record({ contentType: fc.string(), contentUrl: anything, content: anything }), { maxLength: 2 }),
      anything,
    ),
    entities: anything,
    channelData: anything,
    from: anything,
    conversation: anything,
  },
  { requiredKeys: ['type'] },
);
