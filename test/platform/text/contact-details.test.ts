import assert from 'node:assert/strict';
import fc from 'fast-check';
import { holdsContactDetails } from '../../../src/platform/text/contact-details.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { harmlessWords, hostileWords } from '../../support/hostile-words.ts';
import { digitWordsOf } from '../../support/spelled-codes.ts';

const oneOf = (signs: string) => fc.constantFrom(...signs);
/** What nobody sees. */
const ignorable = oneOf('\u200b\u200d\u2060\u00ad\u034f\u115f\u180b\u3164\ufe0f\u202e\u{e0030}');
/** Anything but letters and digits. */
const sign = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((one) => !/[\p{L}\p{N}\p{Cs}]/u.test(one.normalize('NFKC')));
const zeros = oneOf('0٠۰०০๐０𝟎𝟘🯰');
const digitIn = (zero: string) => (digit: string) => String.fromCodePoint((zero.codePointAt(0) as number) + Number(digit));
const spelling = fc.oneof(
  zeros.map(digitIn),
  fc.constantFrom(...digitWordsOf).map((words) => (digit: string) => ` ${words[Number(digit)]} `),
  oneOf('⃣⃝̶').map((mark) => (digit: string) => `${digit}${mark}`),
);
const digits = (shortest: number, longest: number) =>
  fc.array(oneOf('0123456789'), { minLength: shortest, maxLength: longest }).filter((one) => !/^(?:19[5-9]|20[0-4])/.test(one.join('')));

const phone = fc
  .tuple(
    digits(11, 13),
    fc.array(fc.tuple(spelling, fc.option(sign, { nil: '' }), fc.option(ignorable, { nil: '' })), { minLength: 13, maxLength: 13 }),
  )
  .map(([number, how]) => `call ${number.map((digit, at) => how[at]?.[0](digit) + (how[at]?.[1] ?? '') + (how[at]?.[2] ?? '')).join('')}`);

const label = fc.stringMatching(/^[a-z]{3,12}$/);
const domain = fc.constantFrom('com', 'net', 'shop', 'il', 'me', 'de', 'example', 'рф', 'online');
const dot = fc.oneof(
  oneOf('.․•∙⸱●．｡'),
  fc.constantFrom(' . ', ' .', ' dot ', '[.]', ' (dot) ', ' DOT ', '(.)', ' punkt ', ' punto ', '-dot-'),
);
const between = (text: string, gap: string) => [...text].join(gap);
const host = fc
  .tuple(label, dot, domain, fc.option(ignorable, { nil: '' }))
  .map(([name, by, last, gap]) => `see ${between(`${name}${by}${last}`, gap)}`);
const address = fc.tuple(host, fc.constantFrom('@', '＠', '﹫', ' (at) ', '[at]')).map(([name, at]) => name.replace('see ', `olga${at}`));
const ip = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 255 }), { minLength: 4, maxLength: 4 }),
    fc.constantFrom('.', ' . ', '．', ' dot ', '•', '. '),
    zeros,
    fc.option(ignorable, { nil: '' }),
  )
  .map(([parts, by, zero, gap]) => parts.map((part) => between([...String(part)].map(digitIn(zero)).join(''), gap)).join(by));

describe('an address or a phone number', () => {
  for (const text of hostileWords) it(`is in “${text}”`, () => assert.equal(holdsContactDetails(text), true));
  for (const text of harmlessWords) it(`is not in “${text}”`, () => assert.equal(holdsContactDetails(text), false));

  for (const [what, written] of Object.entries({
    'a phone number': phone,
    'a host': host,
    'an e-mail address': address,
    'an IP address': ip,
  }))
    it(`is found as ${what}, whatever is between its parts and however its digits are written`, () =>
      fc.assert(
        fc.property(written, (text) => holdsContactDetails(text)),
        { numRuns: 2000, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
      ));

  it('is looked for in linear time', async () => {
    const pieces = [
      'a.',
      '1 ',
      '1,',
      'a ',
      'a . ',
      'a dot ',
      'dot ',
      '( at',
      'DE89',
      '1.1.',
      '+',
      '〒',
      '12:',
      'a  ',
      'oi',
      '2024-',
      '$1,111',
      'aж',
    ];
    for (const piece of pieces) {
      const took = await cpuTimeOf(() => holdsContactDetails(piece.repeat(20_000 / piece.length)));
      assert.ok(took < 500, piece);
    }
  });
});
