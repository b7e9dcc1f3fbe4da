import assert from 'node:assert/strict';
import { checkVariable } from '../../dialogs/variables.ts';

describe('a blank of a document', () => {
  const table: [string, boolean, string | undefined, object][] = [
    ['text', true, ' Anna ', { value: 'Anna' }],
    ['text', true, '  ', { fault: 'required' }],
    ['text', true, undefined, { fault: 'required' }],
    ['text', false, '', {}],
    ['text', true, 'x'.repeat(2001), { fault: 'length' }],
    ['number', true, '12', { value: '12' }],
    ['number', true, '12,5', { value: '12.5' }],
    ['number', true, '-3.25', { value: '-3.25' }],
    ['number', true, '1e9', { fault: 'number' }],
    ['number', true, 'twelve', { fault: 'number' }],
    ['currency', true, '49.90', { value: '49.90' }],
    ['date', true, '2026-11-20', { value: '2026-11-20' }],
    ['date', true, '2026-02-30', { fault: 'date' }],
    ['date', true, 'tomorrow', { fault: 'date' }],
    ['boolean', true, 'true', { value: 'true' }],
    ['boolean', true, undefined, { value: 'false' }],
    ['boolean', true, 'perhaps', { fault: 'boolean' }],
    ['choice', true, 'monthly', { value: 'monthly' }],
    ['hologram', true, 'anything', { value: 'anything' }],
  ];
  it('takes one of a choice’s values, however it is written, and nothing else', () => {
    const plan = { name: 'plan', type: 'choice', required: true, choices: ['Fibre 100', 'Fibre 500'] };
    assert.deepEqual(checkVariable(plan, ' fibre 500'), { value: 'Fibre 500' });
    assert.deepEqual(checkVariable(plan, 'Fibre 900'), { fault: 'choice' });
    assert.deepEqual(checkVariable({ ...plan, required: false }, ''), {});
  });

  for (const [type, required, value, expected] of table) {
    const shown = value === undefined ? 'nothing' : `“${value.slice(0, 20)}”`;
    it(`of type ${type}${required ? '' : ' (optional)'} filled with ${shown} gives ${JSON.stringify(expected).slice(0, 40)}`, () => {
      assert.deepEqual(checkVariable({ name: 'blank', type, required }, value), expected);
    });
  }
});
