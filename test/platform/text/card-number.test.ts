import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cardMask, holdsCardNumber, withoutCardNumbers } from '../../../src/platform/text/card-number.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';

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
    ['4111  1111  1111  1111', true],
    ['4111\n1111\n1111\n1111', true],
    ['4111 - 1111 - 1111 - 1111', true],
    ['4111\u20101111\u20101111\u20101111', true],
    ['4111/1111/1111/1111', true],
    ['4111\u200b1111\u200b1111\u200b1111', true],
    ['4111+1111=1111|1111', true],
    ['4111\u034f1111\u034f1111\u034f1111', true],
    ['٤١١١ ١١١١ ١١١١ ١١١١', true],
    ['4111, and then 1111 1111 1111', false],
    ['4111    1111    1111    1111', false],
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
    ['words where a part of it is one too', '4222222222222 006', '•••• •••• •••• ••••'],
    ['words beside another', `${number} 5555 5555 5555 4444 12`, '•••• •••• •••• •••• •••• •••• •••• •••• 12'],
  ];
  for (const [where, before, after] of anywhere) {
    it(`is blanked in ${where}`, () => assert.deepEqual(withoutCardNumbers(before), after));
  }
  it('is blanked however it is written: any digits, up to three separators between two of them, and words around', () => {
    const zeros = ['0', '٠', '०', '０', '𑛚'].map((zero) => zero.codePointAt(0) ?? 0);
    const separators = fc.array(
      fc.constantFrom(' ', '\t', '\n', '-', '‐', '–', '.', '/', '_', '*', '\u00a0', '\u00ad', '\u200b', '\u2060'),
      {
        maxLength: 3,
      },
    );
    const written = fc
      .tuple(fc.constantFrom('4111111111111111', '378282246310005', '4222222222222'), fc.constantFrom(...zeros))
      .chain(([digits, zero]) =>
        fc
          .array(separators, { minLength: digits.length - 1, maxLength: digits.length - 1 })
          .map((between) =>
            [...digits].map((digit, at) => `${String.fromCodePoint(zero + Number(digit))}${between[at]?.join('') ?? ''}`).join(''),
          ),
      );
    fc.assert(
      fc.property(written, fc.constantFrom('', 'my card: ', 'ñ'), (number, before) => {
        assert.equal(withoutCardNumbers(`${before}${number} ok`), `${before}${cardMask} ok`);
      }),
    );
  });

  it('is searched for in linear time', async () => {
    for (const piece of ['4', '4 ', '4   ', '4    ', '-', '4-']) {
      const long = piece.repeat(250_000 / piece.length);
      assert.ok((await cpuTimeOf(() => holdsCardNumber(long))) < 2000, piece);
    }
  });

  it('leaves everything else as it is', () => {
    const value = { text: 'ﬁve', count: 5, list: [null, true, { id: '01JD9Z3K5V7W8X9Y0Z1A2B3C4D' }], none: undefined };
    assert.equal(withoutCardNumbers(value), value);
  });
});
