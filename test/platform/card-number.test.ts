import assert from 'node:assert/strict';
import { holdsCardNumber, withoutCardNumbers } from '../../src/platform/card-number.ts';

describe('a card number', () => {
  const table: [string, boolean][] = [
    ['4111 1111 1111 1111', true],
    ['my card is 4111-1111-1111-1111, exp 12/29', true],
    ['5555555555554444', true],
    ['378282246310005', true],
    ['６０１１１１１１１１１１１１１７', true],
    ['4111 1111 1111 1111 12/27', true],
    ['it is no 7: 4111.1111.1111.1111', true],
    ['12 4111111111111111 737', true],
    ['4111\u00a01111\u00a01111\u00a01111', true],
    ['4111 1111 1111 1112', false],
    ['411111111111', false],
    ['invoice 4711, 1,500.00, 2026-11-22T10:15:30.000Z', false],
    ['+1 202 555 0101', false],
    ['0049 30 901820 12345', false],
    ['123456', false],
    ['1234567890123', false],
    ['41111111111111111111111', false],
    ['my number is 202 555 0101 and my code 4111', false],
  ];
  for (const [typed, holds] of table) it(`is ${holds ? '' : 'not '}in “${typed}”`, () => assert.equal(holdsCardNumber(typed), holds));

  const number = '4111111111111111';
  const anywhere: [string, unknown, unknown][] = [
    ['a field', { action: 'a1', card: number }, { action: 'a1', card: '•••• •••• •••• ••••' }],
    ['a number', { card: Number(number) }, { card: '•••• •••• •••• ••••' }],
    ['a list deep inside', [{ a: [{ b: `my ${number}!` }] }], [{ a: [{ b: 'my •••• •••• •••• ••••!' }] }]],
    ['the name of a field', { [number]: 1 }, { '•••• •••• •••• ••••': 1 }],
    ['words beside another', `${number} 5555 5555 5555 4444 12`, '•••• •••• •••• •••• •••• •••• •••• •••• 12'],
  ];
  for (const [where, before, after] of anywhere) {
    it(`is blanked in ${where}`, () => assert.deepEqual(withoutCardNumbers(before), after));
  }
  it('leaves everything else as it is', () => {
    const value = { text: 'ﬁve', count: 5, list: [null, true, { id: '01JD9Z3K5V7W8X9Y0Z1A2B3C4D' }], none: undefined };
    assert.equal(withoutCardNumbers(value), value);
  });
});
