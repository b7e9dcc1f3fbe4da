import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parsePhoneNumber } from '../../../dialogs/language/phone-number.ts';

describe('a typed phone number', () => {
  const table: [string, string, string | undefined][] = [
    ['+1 202 555 0101', 'US', '+12025550101'],
    ['(202) 555-0101', 'US', '+12025550101'],
    ['my number is 202.555.0101, thanks', 'US', '+12025550101'],
    ['030 901820', 'DE', '+4930901820'],
    ['0049 30 901820', 'DE', '+4930901820'],
    ['+49 30 901820', 'US', '+4930901820'],
    ['＋１ ２０２ ５５５ ０１０１', 'US', '+12025550101'],
    ['123', 'US', undefined],
    ['hello', 'US', undefined],
    ['', 'US', undefined],
    ['99999999999999999999999999', 'US', undefined],
    ['+49 123456789012345', 'US', undefined],
    ['+49 1234567890123', 'US', '+491234567890123'],
    ['<script>alert(1)</script>', 'US', undefined],
  ];
  for (const [typed, region, number] of table) {
    it(`“${typed}” in ${region} is ${number ?? 'none'}`, () => assert.equal(parsePhoneNumber(typed, region), number));
  }

  it('reads a number that the service can be asked about, or none, whatever is typed', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.stringMatching(/^[+0-9 ()./-]{0,40}$/),
      fc.stringMatching(/^\D{0,20}\+?[0-9 -]{5,25}\D{0,20}$/),
    );
    fc.assert(
      fc.property(typed, fc.constantFrom('US', 'DE', 'ES', 'GB', 'JP'), (text, region) => {
        const number = parsePhoneNumber(text, region);
        if (number !== undefined) assert.match(number, /^\+[1-9]\d{4,14}$/);
      }),
      { numRuns: 500 },
    );
  });
});
