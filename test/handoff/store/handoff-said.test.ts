import assert from 'node:assert/strict';
import { saidIn } from '../../../src/handoff/store/handoff-said.ts';

const line = (text: string, from = 'customer') => ({ from, text });
const said = (text: string) => ({ message: { id: '1', text } });

describe('what the list of those who wait shows of an event', () => {
  const rows: [what: string, type: string, data: object, shown: string | undefined][] = [
    ['a message', 'message', said('I was  charged\ntwice'), 'I was charged twice'],
    ['ten characters', 'message', said('x'.repeat(10)), 'x'.repeat(10)],
    ['nothing of nine', 'message', said('x'.repeat(9)), undefined],
    ['no numbers and no addresses', 'message', said('invoice 4711 4712 for me@example.com now'), 'invoice ••• for ••• now'],
    ['120 characters', 'message', said('x'.repeat(120)), 'x'.repeat(120)],
    ['the beginning of more', 'message', said('x'.repeat(121)), `${'x'.repeat(119)}…`],
    [
      'a message that was left, rather than the words before',
      'requested',
      { note: 'Please call me', transcript: [line('something else')] },
      'Please call me',
    ],
    [
      'the longest of the customer’s last three lines',
      'requested',
      { transcript: [line('the longest of them all, long ago'), line('the meter is wrong'), line('really wrong'), line('agent')] },
      'the meter is wrong',
    ],
    ['their words while they wait', 'waited', { lines: [line('is anybody there?')] }, 'is anybody there?'],
    ['nothing of the bot’s', 'waited', { lines: [line('somebody will come soon', 'bot'), 'A card was shown'] }, undefined],
    ['nothing of an agent’s', 'said', said('The balance is in arrears'), undefined],
    ['nothing of a colleague’s note', 'joined', { note: 'Refund the second charge' }, undefined],
    ['nothing of files alone', 'message', { message: { id: '1' } }, undefined],
  ];
  for (const [what, type, data, shown] of rows)
    it(`is ${what}`, () => assert.deepEqual(saidIn(type, data), shown === undefined ? {} : { said: shown }));
});
