import assert from 'node:assert/strict';
import { programOf, runIn } from '../../src/flows/index.ts';
import { differences } from '../../src/flows/versions/compare.ts';
import { moveRun, planMove } from '../../src/flows/versions/in-flight.ts';
import { keptVersionOf } from '../../src/flows/versions/versions.ts';
import { startConversation } from '../support/conversation-under-test.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const program = (text: string) => {
  const { flows } = flowsOf({ trial: text });
  const flow = flows.get('trial');
  assert.ok(flow);
  return programOf(keptVersionOf(flow, flows));
};
const source = (text: string) => program(text).flows.get('trial') as never;
const ask = (name: string, text = 'What?') => `- ask: text\n  as: ${name}\n  text: ${text}`;

describe('two versions of a flow', () => {
  for (const [what, before, now, wanted] of [
    ['a step more', '- say: a\n- say: c', '- say: a\n- say: b\n- say: c', ['moved do.1 do.2', 'added do.1']],
    ['a step less', '- say: a\n- say: b', '- say: b', ['removed do.0', 'moved do.1 do.0']],
    ['other words', ask('n', 'What?'), ask('n', 'Which?'), ['changed do.0 do.0']],
    ['another question in its place', ask('n'), ask('m'), ['removed do.0', 'added do.0']],
    [
      'a question in other words behind one that stays as it was',
      `${ask('n')}\n${ask('m')}\n- say: a`,
      `${ask('m')}\n${ask('n', 'Which?')}\n- say: a`,
      ['removed do.0', 'moved do.1 do.0', 'added do.1'],
    ],
    [
      'a step within a step',
      '- when: 1 > 0\n  do: [ { say: a } ]',
      '- when: 1 > 0\n  do: [ { say: b }, { say: a } ]',
      ['moved do.0.do.0 do.0.do.1', 'added do.0.do.0'],
    ],
    ['nothing', '- say: a', '- say: a', []],
  ] as const) {
    it(`differ by ${what}`, () => {
      const found = differences(source(flowOf(before)), source(flowOf(now)));
      assert.deepEqual(
        found.map(({ kind, place, to }) => [kind, place, ...(to === undefined ? [] : [to])].join(' ')),
        wanted,
      );
    });
  }
});

describe('a conversation in flight', () => {
  const old = flowOf(`${ask('name')}\n${ask('town')}\n- say: "#{name} of #{town}"`);
  /** A chat that stands at the second question. */
  const standing = async () => {
    const chat = startConversation({ flows: flowsOf({ trial: old }) });
    await chat.say('trial', 'Mei');
    const run = runIn(chat.state as never);
    assert.ok(run);
    return { chat, run };
  };
  const plan = async (now: string, told: Readonly<Record<string, string>> = {}) => {
    const { run } = await standing();
    return planMove([run], program(old), program(now), new Map(Object.entries(told)));
  };

  it('is found in its chat’s stored state, with its step', async () => {
    const { run } = await standing();
    assert.deepEqual(
      run.frames.map(({ flow, at, values }) => [flow, at, values]),
      [['trial', 'do.1', { name: 'Mei' }]],
    );
    assert.equal(runIn({}), undefined);
  });

  it('continues in another version, at the place of its step there', async () => {
    const now = flowOf(`- say: Welcome\n${ask('name')}\n${ask('town')}\n- say: "#{name}, #{town}"`);
    const { chat, run } = await standing();
    const to = program(now);
    const moves = planMove([run], program(old), to, new Map());
    assert.deepEqual(moves.faults, []);
    moveRun(run, to, moves);
    const flows = flowsOf({ trial: now });
    const flow = flows.flows.get('trial');
    assert.ok(flow);
    const kept = keptVersionOf(flow, flows.flows);
    const later = startConversation({ flows, versions: new Map([[kept.version, kept]]) });
    later.state = chat.state;
    assert.match(await later.say('Boston'), /Mei, Boston/);
  });

  it('is moved to the places told for its own flow, and not in one that this runs', () => {
    const part = flowOf(`${ask('street')}\n${ask('house')}\n- say: "#{street} #{house}"`, '', 'part');
    const both = (steps: string) => {
      const { flows } = flowsOf({ trial: flowOf(steps), part });
      return programOf(keptVersionOf(flows.get('trial') ?? assert.fail(), flows));
    };
    const steps = `${ask('name')}\n- run: part\n  else: end`;
    const to = both(`- say: Welcome\n${steps}`);
    const frames = [
      { flow: 'trial', at: 'do.1', values: { name: 'Mei' }, tries: {} },
      { flow: 'part', at: 'do.1', values: { street: 'Elm' }, tries: {} },
    ];
    const run = { frames } as never;
    const moves = planMove([run], both(steps), to, new Map([['do.1', 'do.2']]));
    assert.deepEqual(moves.faults, []);
    moveRun(run, to, moves);
    assert.deepEqual(
      frames.map(({ flow, at }) => [flow, at]),
      [
        ['trial', 'do.2'],
        ['part', 'do.1'],
      ],
    );
  });

  for (const [what, now, told, fault] of [
    ['its step is gone', flowOf(ask('name')), {}, /do\.1 \(ask\) is nowhere in the other version: say where with --map do\.1=<place>/],
    [
      'it is told to go where another kind of step is',
      flowOf(`${ask('name')}\n- say: x`),
      { 'do.1': 'do.1' },
      /do\.1 is ask, and do\.1 is say/,
    ],
    [
      'it does not know what is known there',
      flowOf(`${ask('name')}\n- set: { country: x }\n${ask('town')}`),
      {},
      /at do\.2 the other version knows country/,
    ],
    ['it is told to go nowhere', flowOf(ask('name')), { 'do.1': 'do.7' }, /do\.1 \(ask\) is nowhere/],
  ] as const) {
    it(`is not moved where ${what}`, async () => {
      const { faults } = await plan(now, told);
      assert.equal(faults.length, 1);
      assert.match(faults[0] ?? '', fault);
    });
  }

  it('is not moved where a flow that it is in is not run any more', () => {
    const { flows } = flowsOf({ trial: flowOf(`${ask('name')}\n- run: part\n  else: end`), part: flowOf(ask('street'), '', 'part') });
    const from = programOf(keptVersionOf(flows.get('trial') ?? assert.fail(), flows));
    const frames = [
      { flow: 'trial', at: 'do.1', values: { name: 'Mei' }, tries: {} },
      { flow: 'part', at: 'do.0', values: {}, tries: {} },
    ];
    const { faults } = planMove([{ frames } as never], from, program(flowOf(ask('name'))), new Map());
    assert.deepEqual(
      faults.map((fault) => fault.split(' is nowhere')[0]),
      ['trial: do.1 (run)', 'part: do.0 (ask)'],
    );
  });

  const choice = (...values: readonly string[]) =>
    `- ask: choice\n  as: tariff\n  text: Which?\n  choices: [ ${values.map((value) => `{ value: ${value}, title: ${value} }`).join(', ')} ]`;
  for (const [what, before, now, fault] of [
    [
      'another type of answer',
      '- ask: money\n  as: damage\n  currency: USD\n  text: How high?',
      '- ask: text\n  as: where\n  text: Where?',
      /^trial: do\.0 \(ask: damage \(money\)\) asks the customer for something else than do\.0 \(ask: where \(text\)\) takes$/,
    ],
    ['another type under the same name', '- ask: number\n  as: it\n  text: How many?', ask('it'), /it \(number\).*it \(text\)/],
    ['another answer of the same type', ask('name', 'Who?'), ask('town', 'Where?'), /ask: name \(text\).*ask: town \(text\)/],
    ['the answer in other words', ask('name', 'Who?'), ask('name', 'Who are you?'), undefined],
    ['fewer choices', choice('green', 'night'), choice('green', 'day'), /ask: tariff \(choice\)/],
    ['more choices', choice('green', 'night'), choice('green', 'night', 'day'), undefined],
    [
      'a choice from something else',
      '- choose: what\n  from: products',
      '- choose: what\n  from: documents',
      /from products.*from documents/,
    ],
    [
      'another document',
      '- document-signature: { document: Contract }\n  else: end',
      '- document-signature: { document: Mandate }\n  else: end',
      /document-signature/,
    ],
    [
      'the same document',
      '- document-signature: { document: Contract }\n  else: end',
      '- document-signature: { document: Contract }\n  on: { else: next }',
      undefined,
    ],
  ] as const)
    it(`is ${fault ? 'not ' : ''}moved to a step that takes ${what}`, () => {
      const run = { frames: [{ flow: 'trial', at: 'do.0', values: {}, tries: {} }] } as never;
      const { faults } = planMove([run], program(flowOf(before)), program(flowOf(now)), new Map([['do.0', 'do.0']]));
      assert.equal(faults.length, fault ? 1 : 0, faults.join('\n'));
      if (fault) assert.match(faults[0] ?? '', fault);
    });

  it('is moved to a given place, to a step of the same kind', async () => {
    const { faults, places } = await plan(flowOf(`${ask('name')}\n${ask('city')}`), { 'do.1': 'do.1' });
    assert.deepEqual([faults, places.get('trial do.1')], [[], 'do.1']);
  });
});
