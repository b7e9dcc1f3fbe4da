import assert from 'node:assert/strict';
import { makeTexts } from '../../dialogs/index.ts';
import { describedFlows, offeredFlows } from '../../src/flows/described.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const loaded = (head: string, steps = '- say: x') => flowsOf({ trial: flowOf(steps, head) });
const described = (head: string) => describedFlows(loaded(head), makeTexts('en'))[0] ?? assert.fail();

describe('a flow in the menu', () => {
  for (const [what, head, offered] of [
    ['without inputs', '', true],
    ['with an input that may be left out', 'needs: { n: number? }', true],
    ['with one that may not', 'needs: { n: number?, m: number }', false],
    ['that is kept out of it', 'menu: false', false],
    ['that is kept out of it, with an input', 'menu: false\nneeds: { n: number }', false],
  ] as const)
    it(`is${offered ? '' : ' not'} one ${what}`, () => assert.equal(offeredFlows(loaded(head), makeTexts('en')).length, offered ? 1 : 0));

  it('has its title and description in the customer’s language', () => {
    const flows = flowsOf({
      trial: flowOf('- say: x', 'description: { en: A trial., es: Una prueba. }').replace(
        'title: trial',
        'title: { en: Try it, es: Probarlo }',
      ),
    });
    assert.deepEqual(offeredFlows(flows, makeTexts('es')), [{ flow: 'trial', title: 'Probarlo', description: 'Una prueba.' }]);
    assert.deepEqual(offeredFlows(loaded(''), makeTexts('es')), [{ flow: 'trial', title: 'trial' }]);
  });
});

describe('the inputs of a flow for other programs', () => {
  const rows: [type: string, taken: readonly unknown[], refused: readonly unknown[]][] = [
    ['text', ['x', 'x'.repeat(2000)], ['', ' ', 'x'.repeat(2001), 3]],
    ['number', [3, -0.5], ['3']],
    ['money', [0, 12.5], [-0.01, '12']],
    ['date', ['2026-12-05'], ['2026-02-30', '5 December']],
    ['email', ['me@example.com'], ['me']],
    ['phone', ['+12025550102'], ['202 555 0102']],
    ['yes-no', [true, false], ['yes']],
  ];
  for (const [type, taken, refused] of rows)
    it(`are checked by their type: ${type}`, () => {
      const { inputs } = described(`needs: { it: ${type} }`);
      for (const it of taken) assert.equal(inputs.safeParse({ it }).success, true, JSON.stringify(it));
      for (const it of [...refused, undefined]) assert.equal(inputs.safeParse({ it }).success, false, JSON.stringify(it));
      assert.equal(described(`needs: { it: "${type}?" }`).inputs.safeParse({}).success, true);
    });

  it('are all that is taken, while outputs may be missing', () => {
    const { inputs, outputs } = described('needs: { n: number }\ngives: { n: number }');
    assert.equal(inputs.safeParse({ n: 1, m: 2 }).success, false);
    assert.equal(outputs.safeParse({}).success, true);
    assert.equal(outputs.safeParse({ n: 'one' }).success, false);
  });
});
