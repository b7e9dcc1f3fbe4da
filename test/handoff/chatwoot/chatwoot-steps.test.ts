import assert from 'node:assert/strict';
import type { ChatwootConversation, ChatwootMessage } from '../../../src/handoff/chatwoot/chatwoot-api.ts';
import { agentSteps } from '../../../src/handoff/chatwoot/chatwoot-steps.ts';
import type { HandoffRecord } from '../../../src/handoff/record.ts';

const origin = 'http://chatwoot.internal:3000';
const mara = { id: 7, name: 'Mara Lind', available_name: 'Mara', email: 'Mara@Example.com', confirmed: true };
const noa = { id: 8, name: 'Noa', email: 'noa@example.com', confirmed: false };
const known = { id: 'chatwoot:7', name: 'Mara', email: 'mara@example.com' };
const requested = { id: 'h', hub: 'chatwoot', state: 'requested', createdAt: 0, events: 1 } as unknown as HandoffRecord;
const accepted: HandoffRecord = { ...requested, state: 'accepted', agent: known };
const over: HandoffRecord = { ...accepted, state: 'over' };
const from = ({ id, name }: { readonly id: number; readonly name: string }, more: Partial<ChatwootMessage> = {}): ChatwootMessage => ({
  ...{ id: 11, content: 'Hello', message_type: 1, private: false, sender: { id, name, type: 'user' } },
  ...more,
});
const conversation = (status: ChatwootConversation['status'], assignee?: object): ChatwootConversation => ({
  ...{ id: 1, status, meta: { assignee: assignee as typeof mara } },
});
const steps = (handoff: HandoffRecord, about: ChatwootConversation, messages: ChatwootMessage[] = []) =>
  agentSteps(handoff, about, messages, origin, async (id) => [mara, noa].find((one) => one.id === id));
const kinds = async (...given: Parameters<typeof steps>) => (await steps(...given)).map(({ act: { kind } }) => kind);

describe('what agents do in Chatwoot means', () => {
  const rows: [string, HandoffRecord, ChatwootConversation, ChatwootMessage[], string[]][] = [
    ['nothing while nothing is done', requested, conversation('open'), [], []],
    ['that they have the chat, where it is assigned', requested, conversation('open', mara), [], ['accept']],
    ['nothing new where they have it already', accepted, conversation('open', mara), [], []],
    ['nothing where it is assigned to nobody any more', accepted, conversation('open'), [], []],
    ['nothing where it is snoozed', accepted, conversation('snoozed', mara), [], []],
    ['that somebody else has it, where it is assigned anew', accepted, conversation('open', noa), [], ['transfer']],
    ['that they have it, where they answer first', requested, conversation('open'), [from(noa)], ['accept', 'say']],
    ['that the assignee has it, whoever answers', requested, conversation('open', mara), [from(noa)], ['accept', 'say']],
    ['their words, whoever else has it', accepted, conversation('open', mara), [from(noa), from(mara, { id: 12 })], ['say', 'say']],
    ['the end, where it is resolved', accepted, conversation('resolved', mara), [], ['finish']],
    ['the bot, where it is pending', accepted, conversation('pending', mara), [], ['return']],
    ['that nobody comes, where it is resolved before', requested, conversation('resolved'), [], ['fail']],
    ['that nobody comes, where it is pending before', requested, conversation('pending'), [], ['fail']],
    [
      'all of it in order, where it is answered and resolved',
      requested,
      conversation('resolved'),
      [from(noa)],
      ['accept', 'say', 'finish'],
    ],
    ['nothing after the end, but for words, which are answered', over, conversation('resolved', noa), [from(noa)], ['say']],
    [
      'nothing where a bot of Chatwoot’s writes',
      requested,
      conversation('open'),
      [from(noa, { sender: { id: 1, type: 'agent_bot' } })],
      [],
    ],
    ['nothing where nobody wrote', requested, conversation('open'), [from(noa, { sender: null })], []],
    ['nothing in a private note', requested, conversation('open'), [from(noa, { private: true })], []],
    ['nothing of the customer’s own', requested, conversation('open'), [from(noa, { message_type: 0 })], []],
    ['nothing where Chatwoot notes something', requested, conversation('open'), [from(noa, { message_type: 2 })], []],
    ['nothing where Chatwoot greets', requested, conversation('open'), [from(noa, { message_type: 3 })], []],
    ['nothing where nothing is said', requested, conversation('open'), [from(noa, { content: ' ' }), from(noa, { content: null })], []],
  ];
  for (const [what, handoff, about, messages, expected] of rows)
    it(what, async () => assert.deepEqual(await kinds(handoff, about, messages), expected));

  it('an agent by their number and the name that customers see, with an address if they have confirmed it', async () => {
    const [taken] = await steps(requested, conversation('open', mara));
    assert.deepEqual(taken, { act: { kind: 'accept', agent: known } });
    const [unconfirmed] = await steps(requested, conversation('open'), [from(noa)]);
    assert.deepEqual(unconfirmed, { act: { kind: 'accept', agent: { id: 'chatwoot:8', name: 'Noa' } } });
    const [listed] = await steps(requested, conversation('open', { id: 7, name: 'Mara Lind' }));
    assert.deepEqual(listed, { act: { kind: 'accept', agent: known } });
    const [unknown] = await steps(requested, conversation('open', { id: 99 }));
    assert.deepEqual(unknown, { act: { kind: 'accept', agent: { id: 'chatwoot:99' } } });
  });

  it('a message with its number, up to which everything counts as read', async () => {
    const [said] = await steps(accepted, conversation('open', mara), [from(mara, { content: '  Hello ' })]);
    assert.deepEqual(said, { act: { kind: 'say', id: 'chatwoot-11', text: 'Hello' }, upTo: 11 });
  });

  it('a long message in parts, split between words, the last of which marks it as read', async () => {
    const long = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' ');
    const said = await steps(accepted, conversation('open', mara), [from(mara, { content: long })]);
    const texts = said.map(({ act }) => (act.kind === 'say' ? act.text : ''));
    assert.equal(texts.join(' '), long);
    assert.ok(texts.length > 1 && texts.every((text) => text !== undefined && text.length <= 4000));
    assert.deepEqual(
      said.map(({ upTo }) => upTo),
      [...texts.slice(1).map(() => undefined), 11],
    );
    const solid = await steps(accepted, conversation('open', mara), [from(mara, { content: 'x'.repeat(4001) })]);
    assert.deepEqual(
      solid.map(({ act }) => act.kind === 'say' && [act.id, act.text?.length]),
      // A repeated id is not shown again.
      [
        ['chatwoot-11', 4000],
        ['chatwoot-11-1', 1],
      ],
    );
    assert.equal((await steps(accepted, conversation('open', mara), [from(mara, { content: 'x'.repeat(4000) })])).length, 1);
  });

  const files: [string, string, object | undefined][] = [
    ['over https', 'https://files.example.com/a/tariff%20new.pdf', { name: 'tariff new.pdf', contentType: 'application/pdf' }],
    ['of Chatwoot itself', `${origin}/rails/blobs/x/meter.png`, { name: 'meter.png', contentType: 'image/png' }],
    ['of a kind that nobody knows', 'https://files.example.com/a/notes', { name: 'notes', contentType: 'application/octet-stream' }],
    [
      'with a name that cannot be read',
      'https://files.example.com/%E0%A4%A',
      { name: '%E0%A4%A', contentType: 'application/octet-stream' },
    ],
    ['in the clear from elsewhere', 'http://files.example.com/a.pdf', undefined],
    ['that is a script', 'javascript:alert(1)', undefined],
    ['that is none', 'nothing', undefined],
  ];
  for (const [what, data_url, expected] of files)
    it(`${expected ? 'a file' : 'nothing, for a file'} ${what}`, async () => {
      const said = await steps(accepted, conversation('open', mara), [from(mara, { content: null, attachments: [{ data_url }] })]);
      assert.deepEqual(
        said.map(({ act }) => act.kind === 'say' && act.files),
        expected ? [[{ ...expected, contentUrl: data_url }]] : [],
      );
    });
});
