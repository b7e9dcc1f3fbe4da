import assert from 'node:assert/strict';
import { makeTexts } from '../../dialogs/index.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { knownIn, shown } from '../../src/flows/running/saying.ts';
import { flowOf } from '../support/flows.ts';

describe('an answer in a text of a flow', () => {
  const ask =
    "- ask: choice\n  as: kind\n  text: Which?\n  choices: [ { value: green, title: Green energy }, { value: usual, title: As usual } ]\n- say: 'Thank you, #{kind}.'";
  const text = flowOf(`${ask}\n- ask: text\n  as: name\n  text: Name?`);
  const flow = loadFlows([{ file: 'trial.yaml', text }]).flows.get('trial')?.source;
  for (const [kind, read] of [
    ['green', 'Green energy'],
    ...['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((typed) => [typed, typed] as const),
  ] as const) {
    it(`“${kind}” is shown as “${read}”`, () => {
      assert.ok(flow);
      const t = makeTexts('en');
      for (const name of ['kind', 'name']) {
        const said = shown(knownIn(flow, { [name]: kind }), `Thank you, \${${name}}.`, t);
        assert.equal(said, `Thank you, ${name === 'kind' ? read : kind}.`);
      }
    });
  }
});
