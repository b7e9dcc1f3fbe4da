import assert from 'node:assert/strict';
import { holdsCardNumber } from '../../dialogs/card-number.ts';

describe('a card number', () => {
  const table: [string, boolean][] = [
    ['4111 1111 1111 1111', true],
    ['my card is 4111-1111-1111-1111, exp 12/29', true],
    ['5555555555554444', true],
    ['378282246310005', true],
    ['６０１１１１１１１１１１１１１７', true],
    ['4111 1111 1111 1112', false],
    ['+1 202 555 0101', false],
    ['0049 30 901820 12345', false],
    ['123456', false],
    ['1234567890123', false],
    ['41111111111111111111111', false],
    ['my number is 202 555 0101 and my code 4111', false],
  ];
  for (const [typed, holds] of table) it(`is ${holds ? '' : 'not '}in “${typed}”`, () => assert.equal(holdsCardNumber(typed), holds));
});
