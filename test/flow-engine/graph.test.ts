import assert from 'node:assert/strict';
import { graphOf } from '../../src/flows/index.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const graph = (steps: string, head = '') => {
  const other = flowOf('- say: x', '', 'other');
  return graphOf(flowsOf({ trial: flowOf(steps, head), other }).flows.get('trial')?.source ?? assert.fail());
};

describe('the graph of a flow', () => {
  const rows: [what: string, steps: string, head: string, edges: string[]][] = [
    ['steps in a row, and the end', '- say: a\n- say: b', '', ['start do.0', 'do.0 do.1', 'do.1 end.success']],
    [
      'a condition, which goes on where it has no else',
      '- when: 1 > 0\n  do: [ { say: a } ]\n- say: b',
      '',
      ['start do.0', 'do.0 do.0.do.0 true', 'do.0 do.1 false', 'do.0.do.0 do.1', 'do.1 end.success'],
    ],
    [
      'a condition with an else',
      '- when: 1 > 0\n  do: [ { say: a } ]\n  else: [ { end: failure } ]',
      '',
      ['start do.0', 'do.0 do.0.do.0 true', 'do.0 do.0.else.0 false', 'do.0.do.0 end.success', 'do.0.else.0 end.failure'],
    ],
    [
      'an app with a retry, steps, a part, and an end for each outcome',
      '- passkeys:\n  on: { success: next, failure: { retry: 2, then: p }, timeout: [ { say: a } ], cancelled: end }\n- handoff: { reason: x }',
      'parts: { p: [ { end: timeout } ] }',
      [
        'start do.0',
        'do.0 do.1 success',
        'do.0 do.0 failure: again, 2 at most',
        'do.0 parts.p.0 failure',
        'do.0 do.0.on.timeout.0 timeout',
        'do.0 end.cancelled cancelled',
        'do.0.on.timeout.0 do.1',
        'parts.p.0 end.timeout',
      ],
    ],
    [
      'one way for several outcomes',
      '- run: other\n  on: { failure: end, else: next }\n- go: p',
      'parts: { p: [ { end: success } ] }',
      ['start do.0', 'do.0 do.1 else', 'do.0 end.failure failure', 'do.1 parts.p.0', 'parts.p.0 end.success'],
    ],
    [
      'an end that names what ends',
      '- passkeys:\n  else: end',
      '',
      ['start do.0', 'do.0 end.success success', 'do.0 end.failure else', 'do.0 end.timeout else', 'do.0 end.cancelled else'],
    ],
  ];
  for (const [what, steps, head, edges] of rows)
    it(`has ${what}`, () =>
      assert.deepEqual(
        graph(steps, head).edges.map(({ from, to, label }) => [from, to, ...(label === undefined ? [] : [label])].join(' ')),
        edges,
      ));

  it('has a node for each step, of its kind and in its words, and for each end that is reached', () => {
    const steps = `- say: ${'a'.repeat(60)}
- set: { n: 1, m: 2 }
- ask: number
  as: k
  text: K?
- choose: c
  from: products
- when: n > 1
  do: [ { go: p } ]
- verify:
  else: next
- run: other
  else: next
- handoff: { reason: contract }`;
    assert.deepEqual(
      graph(steps, 'parts: { p: [ { end: failure } ] }').nodes.map(({ kind, label }) => `${kind} ${label}`),
      [
        'start trial',
        `step say: ${'a'.repeat(47)}…`,
        'step set: n, m',
        'step ask: k (number)',
        'step choose: c from products',
        'condition when: n > 1',
        'step go: p',
        'branching verify',
        'branching run: other',
        'step handoff: contract',
        'step end: failure',
        'end failure',
      ],
    );
  });
});
