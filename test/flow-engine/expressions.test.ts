import assert from 'node:assert/strict';
import { checkExpression, evaluate, type FlowValues, type Scope, worth } from '../../src/flows/grammar/expressions.ts';

const scope: Scope = new Map(
  Object.entries({ n: 'number', m: 'money', t: 'text', d: 'date', y: 'yes-no' } as const).map(([name, type]) => [name, { type }] as const),
);
const values: FlowValues = { n: 3, m: 30.5, t: 'abc', d: '2026-11-20', y: true };

describe('an expression', () => {
  for (const [written, value] of [
    ['n == 3', true],
    ['3 == n', true],
    ['n != 3', false],
    ['n == 3.0', true],
    ['m == 30', false],
    ['n in [1, 2, 3]', true],
    ['n in [1, 2.5]', false],
    ['n in [n, 1]', true],
    ['n in {3: "a"}', true],
    ['size(t) == n', true],
    ['n == size(t)', true],
    ['size(t) == 3 && size(t) in [1, 3]', true],
    ['int(m) == 30', true],
    ['[n, 1].exists(x, x == 3)', true],
    ['n % 2', 1],
    ['n % n', 0],
    ['size(t) % 2', 1],
    ['m + size(t)', 33.5],
    ['m - size(t)', 27.5],
    ['m * size(t)', 91.5],
    ['size(t) / (n + 3)', 0.5],
    ['m % size(t)', 0.5],
    ['7 / 2', 3.5],
    ['string(7 / 2)', '3.5'],
    ['(1 + 2) * (3 - 1) == 2 * n', true],
    ['y ? 1 : 2.5', 1],
    ['y ? 1 : n', 1],
    ['[1, 2, 3][0] == 1', true],
    ['t.substring(1)', 'bc'],
    ['n == 3 || y', true],
    ['timestamp(d) > timestamp("2020-01-01")', true],
    ['timestamp(d + "T10:00:00Z") > timestamp(d)', true],
    ['timestamp(d).getFullYear()', 2026],
    ['timestamp(d) - timestamp("2026-11-19") == duration("24h")', true],
  ] as const)
    it(`does not ask how a number or a day is written: ${written}`, () => {
      const checked = checkExpression(written, scope);
      assert.ok('kind' in checked, JSON.stringify(checked));
      assert.equal(evaluate(written, values), value);
    });

  for (const [written, wrong, from, hint] of [
    ['n > 2 && timestamp("yesterday") > timestamp(d)', 'timestamp("yesterday") can never be worked out', 9, /takes a date/],
    ['timestamp(d) - timestamp(d) > duration("1 week")', 'duration("1 week") can never be worked out', 30, /duration/],
    ['5 / 0 > n', '5 / 0 can never be worked out', 0, /division by zero/],
    ['n > 1 / (1 - 1)', '1 / (1 - 1) can never be worked out', 4, /division by zero/],
    ['[1, 2][5] == n', '[1, 2][5] can never be worked out', 0, /index/],
    ['n == int("three")', 'int("three") can never be worked out', 5, /convert/],
  ] as const)
    it(`that fails for everybody is a fault of the file: ${written}`, () => {
      const checked = checkExpression(written, scope);
      assert.ok('wrong' in checked, JSON.stringify(checked));
      assert.deepEqual([checked.wrong, checked.from], [wrong, from]);
      assert.match(checked.hint ?? '', hint);
    });

  for (const written of ['n / 0', 'n % 0', 'size(t) / (n - 3)'])
    it(`never comes to what is no number: ${written}`, () =>
      assert.throws(() => evaluate(written, values), { name: 'ExpressionFault', reason: 'division by zero' }));

  it('keeps its type where it is a whole value, and is text where it is a part of one', () => {
    const written = [...['#{n + 1}', '#{y}', '#{t}', '#{n}!', '#{n}#{y}'].map((one) => one.replaceAll('#', '$')), 'plain', 5, false];
    assert.deepEqual(
      written.map((one) => worth(one, values)),
      [4, true, 'abc', '3!', '3true', 'plain', 5, false],
    );
  });
});
