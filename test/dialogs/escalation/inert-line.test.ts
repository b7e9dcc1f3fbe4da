import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { contextOf } from '../../../dialogs/escalation/case.ts';
import { inertLine } from '../../../dialogs/escalation/inert-line.ts';
import { noteOf, transcriptNote } from '../../../src/handoff/chatwoot/chatwoot-notes.ts';
import { eventHub } from '../../../src/handoff/event/channel-hubs.ts';
import type { HandoffRecord } from '../../../src/handoff/record.ts';
import type { TurnContext } from '../../../src/handoff/sdk.ts';
import { payloadOf } from '../../../src/handoff/webhook/webhook-hub.ts';

/** What Chatwoot looks for in private notes (app/services/messages/mention_service.rb). */
const mention = /\(mention:\/\/(user|team)\/(\d+)\/(.+?)\)/;
/** Every line break that Unicode has, and control characters. */
const anyBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** What Markdown makes of a text: `undefined` where it is more than words. */
const readAs = (markdown: string): string | undefined => {
  const [paragraph, ...others] = fromMarkdown(markdown).children;
  if (others.length > 0 || paragraph?.type !== 'paragraph') return undefined;
  const words = paragraph.children.map((node) => (node.type === 'text' ? node.value : undefined));
  return words.includes(undefined) ? undefined : words.join('');
};

const forged = 'hello\n05:31 Bot: You are verified.\u202ekcab [@Mara](mention://user/7/Mara) ![x](https://evil.example/p.png)';
const pieces = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    ...['\n', '\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\u202e', '\u2066', '\u200f', '\ud800', '\t', ' ', '\\', '\n\n# ', '\n> '],
    ...['**', '_', '`', '```', '~~', '[', ']', '(', ')', '<b>', '&amp;', '&#91;', '://', 'mention', '![x](https://evil.example/p.png)'],
    ...['[@Mara](mention://user/7/Mara)', '<https://evil.example>', 'a@b.example', '05:31 Bot: You are verified.'],
  ),
);
const texts = fc.array(pieces, { maxLength: 12 }).map((all) => all.join(''));

describe('what somebody wrote, as a line of a note', () => {
  it('is one line and nothing but words to whoever renders Markdown, whatever it holds', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const line = inertLine(text);
        assert.doesNotMatch(line, anyBreak);
        assert.doesNotMatch(line, /[\p{Bidi_Control}\p{Cs}]/u);
        assert.doesNotMatch(line, mention);
        // A number or a hyphen at the beginning of a note would be a list: lines follow a time and a name.
        assert.notEqual(readAs(`Customer: ${line}`), undefined, JSON.stringify(line));
      }),
      { numRuns: 2000 },
    );
  });

  const rows: [string, string, string][] = [
    ['reads as it was written', '3.50 at 12:30, 5 * 3 = 15, AB_12 & _this_ <b>', '3.50 at 12:30, 5 * 3 = 15, AB_12 & _this_ <b>'],
    ['shows where lines were broken', 'one\r\n\r\ntwo\u2028three\u0085four', 'one ⏎ two ⏎ three ⏎ four'],
    ['loses what reorders it', 'pay \u202e0150\u202c now', 'pay 0150 now'],
  ];
  for (const [what, text, expected] of rows) it(what, () => assert.equal(readAs(`C: ${inertLine(text)}`), `C: ${expected}`));

  it('makes no bare address a link', () => {
    for (const text of ['https://evil.example/login', 'www.evil.example', 'evil.example', 'mailto:a@evil.example'])
      assert.doesNotMatch(inertLine(text), /(?<!\\)(:\/\/|@)|\p{L}\.\p{L}/u, text);
  });

  const at = Date.UTC(2026, 10, 20, 5, 30);
  const lines = [{ from: 'customer', text: forged, at }] as const;
  const about = { reason: 'asked', language: 'en', verification: { state: 'none' }, requestIds: [], transcript: lines } as const;
  const handoff = { id: 'h', conversation: 'c', createdAt: at, state: 'requested', reason: 'asked', language: 'en' } as HandoffRecord;
  const event = (type: string, data: object) => ({ id: 'l', handoffId: 'h', number: 1, type, data, createdAt: at });
  const places: [string, () => string[] | Promise<string[]>][] = [
    ['the transcript in Chatwoot', () => (transcriptNote(lines) ?? '').split('\n').slice(1)],
    ['what was said while nobody was there', () => (noteOf('waited', { lines }) ?? '').split('\n').slice(1)],
    ['the bot’s lines in an agent’s flow', () => (noteOf('bot', { lines: [forged] }) ?? '').split('\n')],
    ['a left message in the summary', () => [String(contextOf({ ...about, note: forged }).va_AgentMessage)]],
    [
      'a flow’s reason',
      () => {
        const { cs_flow_reason, va_AgentMessage } = contextOf({ ...about, flow: { name: 'f', reason: forged } });
        return [`${cs_flow_reason} ${va_AgentMessage}`];
      },
    ],
    ['the transcript in a webhook', () => linesOf(payloadOf(event('requested', about), handoff).data.transcript)],
    ['a line in a webhook', () => linesOf(payloadOf(event('waited', { lines: [lines[0]] }), handoff).data.lines)],
    [
      'the transcript of an event',
      async () => {
        const sent: { attachments: { content: { activities: { text: string }[] } }[] }[] = [];
        const activity = { conversation: { id: 'c' }, from: { id: 'u' }, recipient: { id: 'b' }, channelId: 'emulator' };
        const context = { activity, sendActivity: async (event: never) => void sent.push(event) };
        await eventHub.initiate?.(context as unknown as TurnContext, about, {});
        return sent[0]?.attachments[0]?.content.activities.map(({ text }) => text) ?? [];
      },
    ],
    ['the bot’s line in a webhook', () => linesOf(payloadOf(event('bot', { lines: [forged] }), handoff).data.lines)],
  ];
  for (const [where, made] of places)
    it(`is one line in ${where}`, async () => {
      const all = await made();
      assert.equal(all.length, 1);
      const [line = ''] = all;
      assert.doesNotMatch(line, anyBreak);
      assert.doesNotMatch(line, /\p{Bidi_Control}/u);
      assert.doesNotMatch(line, mention);
      assert.match(readAs(line) ?? '', /hello ⏎ 05:31 Bot/);
    });
});

const linesOf = (lines: unknown) =>
  (lines as (string | { readonly text: string })[]).map((line) => (typeof line === 'string' ? line : line.text));
