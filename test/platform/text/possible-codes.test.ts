import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hidden, isPartOfCode, possibleCodes, withoutSecrets } from '../../../src/platform/text/possible-codes.ts';
import { cpuTimeOf } from '../../support/cpu-time.ts';
import { spelledCodes } from '../../support/spelled-codes.ts';

describe('text that others may read', () => {
  for (const [how, written] of spelledCodes('557672'))
    it(`is without a code written ${how}: “${written}”`, () => {
      assert.equal(withoutSecrets(written), hidden);
      assert.equal(withoutSecrets(`OK, it is ${written}, I think`), `OK, it is ${hidden}, I think`);
      assert.equal(withoutSecrets(`3 ${'x'.repeat(5)} ${written}. 7`).includes(hidden), true);
    });

  for (const written of [
    'fifty-five seventy-six seventy-two',
    'Fifty Five, Seventy Six, Seventy Two',
    'fiftyfive seventysix seventytwo',
    'five five seventy-six 72',
    'fifty five seventy twelve',
    'twelve thirteen ninety',
    'fünfundfünfzig sechsundsiebzig zweiundsiebzig',
    'fünfundfünfzigsechsundsiebzigzweiundsiebzig',
    'fuenfundfuenfzig, sechzehn, dreissig',
    'cincuenta y cinco setenta y seis setenta y dos',
    'veinticinco dieciséis noventa',
    'cinquante-cinq soixante-seize soixante-douze',
    'quatre-vingt-quinze soixante et onze vingt et un',
    'nonante-cinq dix-sept quatre-vingts',
    'خمسة وخمسون ستة وسبعون اثنان وسبعون',
    'خمسة وخمسين، ستة عشر، عشرين',
    '五十五 七十六 七十二',
    '五十五七十六七十二',
    '十二、三十、5 5',
    'ごじゅうご ななじゅうろく ななじゅうに',
  ])
    it(`is without a code whose digits are named in pairs: “${written}”`, () => {
      assert.equal(withoutSecrets(`OK, it is ${written}, I think`), `OK, it is ${hidden}, I think`);
    });

  for (const written of [
    'fifty-five seventy-six seventy-two',
    'fünfundfünfzig sechsundsiebzig zweiundsiebzig',
    'cincuenta y cinco setenta y seis setenta y dos',
    'cinquante-cinq soixante-seize soixante-douze',
    'خمسة وخمسون ستة وسبعون اثنان وسبعون',
    '五十五 七十六 七十二',
    'ごじゅうご ななじゅうろく ななじゅうに',
  ])
    it(`has the value of its numbers: “${written}”`, () => assert.equal(possibleCodes(written)[0]?.code, '557672'));

  const seen: [string, string][] = [
    ['557672, 3 of them', `${hidden}, 3 of them`],
    ['1. 557672', `1. ${hidden}`],
    ['12 5.5.7.6.7.2', `12 ${hidden}`],
    ['557672 and then five five seven six seven two', `${hidden} and then ${hidden}`],
    ['4111 1111 1111 1111, code 5-5-7-6-7-2', `•••• •••• •••• ••••, code ${hidden}`],
  ];
  for (const [typed, shown] of seen) it(`hides no more than the code: “${typed}”`, () => assert.equal(withoutSecrets(typed), shown));

  for (const typed of [
    'hello',
    'call me at +1 202 555 0101, please',
    'call me at (202) 555-0101',
    '202.555.0101 or 202-555-0102',
    'since 2026-11-22, 10:15',
    'on 22.11.2026',
    'I paid 1,500.00 and then 1.500,00',
    'I paid 1234.56 and 150 €',
    'invoice 4839201 or 48392',
    'five of six, seven at most',
    '192.168.10.12',
    '5 cars, 12 bikes and 345 trains',
    'seven, eight, nine, ten, one, two',
    'the code has 6 digits',
    'twenty-five of thirty-six',
    'in nineteen ninety-five',
    'cinquante-cinq euros',
    'vierundzwanzig Stunden, dreißig Minuten',
    '十一月二十二日',
    '二〇二六年十一月',
    '１２３４５ yen',
  ])
    it(`stays as it was typed without a code: “${typed}”`, () => assert.equal(withoutSecrets(typed), typed));

  for (const typed of ['5', '55', '5 5, 7', '５', '5️⃣', 'five', 'fünf sieben', 'سبعة.', 'ななろく', '五', '55767'])
    it(`may be a part of a code: “${typed}”`, () => assert.equal(isPartOfCode(typed), true));
  for (const typed of ['557672', 'no', '', '…', '5 people', 'five of them', 'room 5', '5th', '+12025550101'])
    it(`is no part of a code: “${typed}”`, () => assert.equal(isPartOfCode(typed), false));

  it('takes linear time, whatever is typed', async () => {
    const pieces = [
      '5',
      '5 ',
      '55767 ',
      'five ',
      'double ',
      'double five ',
      '五',
      '5.-/ ',
      '\u200b',
      'و',
      '5....',
      'zwei',
      'un',
      'uno',
      'し',
      'しち',
      'fifty',
      'fifty ',
      'fifty five ',
      'fünfund',
      'cinquante et ',
      'quatre-',
      'quatre-vingt-',
      'خمسة و',
      '十',
      'じゅう',
    ];
    for (const piece of pieces) {
      const took = await cpuTimeOf(() => withoutSecrets(piece.repeat(60_000 / piece.length)));
      assert.ok(took < 1000, piece);
    }
  });

  it('never changes what has fewer than six digits', () => {
    const typed = fc.array(fc.oneof(fc.constantFrom(' ', ', ', '.', 'x', 'and', '-'), fc.string({ unit: 'grapheme', maxLength: 3 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(typed, (parts) => {
        const text = parts.join('').replace(/[\p{N}\p{L}]/gu, 'x');
        assert.deepEqual(possibleCodes(text), []);
        assert.equal(withoutSecrets(text), text);
      }),
    );
  });
});
