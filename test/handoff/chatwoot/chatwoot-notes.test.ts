import assert from 'node:assert/strict';
import type { Line } from '../../../dialogs/index.ts';
import { type HubEventData, noteOf, refusalNote, transcriptNote, writtenBy } from '../../../src/handoff/chatwoot/chatwoot-notes.ts';
import type { VerificationState } from '../../../src/verification/index.ts';

const at = Date.UTC(2026, 10, 20, 9, 30);
const by = { agentId: 'mara@example.com' };
const hello: Line = { from: 'customer', text: 'Hello', at };
const expired: VerificationState = { state: 'expired', method: 'passkeys', customerRef: 'c', requestId: 'r', at, until: at };

describe('a note for agents in Chatwoot', () => {
  it('names of each line before the handoff its time, its speaker, and the number of a verified customer', () => {
    const lines: Line[] = [
      hello,
      { from: 'bot', text: 'Welcome', at: at + 60_000 },
      { from: 'customer', text: 'A person', at, verified: true, phone: '••• 0102' },
      { from: 'customer', text: 'Please', at, verified: true },
      { from: 'agent', text: 'Here I am', at, agent: 'Mara' },
      { from: 'agent', text: 'Yes', at },
    ];
    assert.deepEqual(transcriptNote(lines)?.split('\n'), [
      'Before a person was asked for:',
      '09:30 Customer: Hello',
      '09:31 Bot: Welcome',
      '09:30 Customer (verified ••• 0102): A person',
      '09:30 Customer (verified): Please',
      '09:30 Mara: Here I am',
      '09:30 Agent: Yes',
    ]);
    assert.equal(transcriptNote([]), undefined);
  });

  const events: [type: string, data: HubEventData, note: string | undefined][] = [
    ['waited', { lines: [hello] }, 'While nobody was there:\n09:30 Customer: Hello'],
    ['bot', { lines: ['How much?', 'In euros.'] }, 'Bot: How much?\nBot: In euros.'],
    ['flow', { flow: 'read-meter', status: 'failure' }, 'read-meter: failure.'],
    ['started', { flow: 'read-meter', ...by }, 'read-meter: begun by mara@example.com.'],
    ['started', by, undefined],
    ['ended', { ending: 'withdrawn' }, 'The customer has left the chat.'],
    ['ended', { ending: 'merged' }, 'The chat is over: merged.'],
    ['verification', { verification: expired }, 'Nobody is verified in this chat any more.'],
    ['verification', { verification: { state: 'none' } }, undefined],
    ['outcome', { outcome: { app: 'payments', status: 'success' } }, 'payments: success.'],
    ['outcome', { outcome: { app: 'payments', status: 'timeout', requestId: 'r1' } }, 'payments: timeout (request r1).'],
    [
      'outcome',
      { outcome: { app: 'payments', status: 'success', requestId: 'r1', ...by } },
      'payments: success (asked for by mara@example.com, request r1).',
    ],
    ['outcome', {}, undefined],
    ['message', { outcome: { app: 'payments', status: 'success' } }, undefined],
  ];
  for (const [type, data, note] of events)
    it(`is ${note === undefined ? 'not written' : `“${note.split('\n').at(-1)}”`} for ${type}: ${JSON.stringify(data).slice(0, 60)}`, () =>
      assert.equal(noteOf(type, data), note));

  it('says what did not reach the customer, and what had no effect', () => {
    const say = { kind: 'say', id: 'm1', text: 'Hello' } as const;
    assert.match(refusalNote(say, 'over'), /with the bot again, and this did not reach the customer/);
    assert.equal(refusalNote({ kind: 'return' }, 'taken'), 'This had no effect in the chat (return: taken).');
  });
});

describe('a customer’s message in Chatwoot', () => {
  const [bill, unnamed] = [
    { name: 'bill.pdf', contentUrl: 'https://files.example/1' },
    { name: 7, contentUrl: 'https://files.example/2' },
  ];
  for (const [what, message, written] of [
    ['its words', { text: 'Hello' }, 'Hello'],
    ['its words and files', { text: 'Hello', attachments: [bill] }, 'Hello\nbill.pdf: https://files.example/1'],
    ['files alone', { attachments: [bill, unnamed] }, 'bill.pdf: https://files.example/1\nfile: https://files.example/2'],
    ['nothing', {}, undefined],
  ] as const)
    it(`has ${what}`, () => assert.equal(writtenBy({ id: 'm1', ...message }), written));
});
