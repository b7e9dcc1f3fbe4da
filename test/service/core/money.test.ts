import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimalOf, decimalsOf, majorOf, unitsOf } from '../../../src/service/core/money.ts';
import { makeServiceTexts } from '../../../src/service/core/texts.ts';
import { fromStripe, toStripe } from '../../../src/service/payments/gateways/stripe-units.ts';

describe('an amount of money', () => {
  const read: [string, number, bigint | undefined][] = [
    ['59.9', 2, 5990n],
    ['59.90', 2, 5990n],
    ['59.900', 2, 5990n],
    ['0.07', 2, 7n],
    ['1', 0, 1n],
    ['1.00', 0, 1n],
    ['1.5', 0, undefined],
    ['1.005', 2, undefined],
    ['1.005', 3, 1005n],
    ['999999999999999.99', 2, 99999999999999999n],
    ['-1', 2, undefined],
    ['+1', 2, undefined],
    ['1e3', 2, undefined],
    ['1,5', 2, undefined],
    ['.5', 2, undefined],
    ['5.', 2, undefined],
    ['', 2, undefined],
    [' 1', 2, undefined],
    ['0x10', 2, undefined],
    ['１', 2, undefined],
  ];
  for (const [decimal, decimals, expected] of read) {
    it(`${expected === undefined ? 'is not read from' : `is ${expected} units of 10^-${decimals} in`} “${decimal}”`, () => {
      assert.equal(unitsOf(decimal, decimals), expected);
    });
  }

  it('is restored exactly, however large', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }), fc.constantFrom(0, 2, 3, 4), (units, decimals) => {
        assert.equal(unitsOf(decimalOf(units, decimals), decimals), units);
      }),
    );
  });

  const exponents: [string, number | undefined][] = [
    ['EUR', 2],
    ['JPY', 0],
    ['HUF', 2],
    ['ISK', 0],
    ['UGX', 0],
    ['KWD', 3],
    ['AFN', 2],
    ['MGA', 2],
    ['COP', 2],
    ['XXQ', undefined],
    ['eur', undefined],
    ['__proto__', undefined],
    ['constructor', undefined],
  ];
  for (const [currency, expected] of exponents) {
    it(`${expected === undefined ? 'has no' : `has ${expected}`} decimals in ${currency}, as ISO 4217 has it`, () =>
      assert.equal(decimalsOf(currency), expected));
  }

  it('is the number that the interface carries', () => {
    assert.equal(majorOf({ minor: 5990n, currency: 'EUR' }), 59.9);
    assert.equal(majorOf({ minor: 1200n, currency: 'JPY' }), 1200);
    assert.equal(majorOf({ minor: 1005n, currency: 'KWD' }), 1.005);
  });

  it('is shown to the last cent, where cents are unusual too', () => {
    const { money } = makeServiceTexts()('en');
    assert.equal(money('1250.50', 'HUF').replace(/\s/g, ' '), 'HUF 1,250.5');
    assert.equal(money('1250', 'HUF').replace(/\s/g, ' '), 'HUF 1,250');
    assert.equal(money('999999999999999.99', 'USD'), '$999,999,999,999,999.99');
  });
});

describe('an amount as Stripe counts it', () => {
  const cases: [bigint, string, number | undefined][] = [
    [5990n, 'EUR', 5990],
    [1200n, 'JPY', 1200],
    // Counted in hundredths that must be none, although ISO knows no hundredths.
    [500n, 'ISK', 50_000],
    [500n, 'UGX', 50_000],
    // ISO's hundredths, which cannot be paid out.
    [125_000n, 'HUF', 125_000],
    [125_050n, 'HUF', undefined],
    [5050n, 'TWD', undefined],
    // ISO's hundredths, which Stripe does not know.
    [1200n, 'MGA', 12],
    [1250n, 'MGA', undefined],
    // Thousandths of which only hundredths can be charged.
    [1230n, 'KWD', 1230],
    [1234n, 'KWD', undefined],
    [100n, 'IQD', undefined],
    [99_999_999n, 'USD', 99_999_999],
    [100_000_000n, 'USD', undefined],
    [100n, 'XXQ', undefined],
  ];
  for (const [minor, currency, expected] of cases) {
    it(`${expected === undefined ? 'cannot be charged' : `is ${expected}`} for ${minor} ${currency}`, () => {
      assert.equal(toStripe({ minor, currency }), expected);
      if (expected !== undefined) assert.deepEqual(fromStripe(expected, currency.toLowerCase()), { minor, currency });
    });
  }

  const told: [number, string][] = [
    [50_050, 'isk'],
    [1.5, 'eur'],
    [-100, 'eur'],
    [100, 'xxq'],
    [Number.MAX_SAFE_INTEGER + 1, 'eur'],
  ];
  for (const [amount, currency] of told) {
    it(`is undefined if Stripe reports ${amount} ${currency}`, () => assert.equal(fromStripe(amount, currency), undefined));
  }
});
