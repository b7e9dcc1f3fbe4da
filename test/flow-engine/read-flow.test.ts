import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { faultAnnotation } from '../../src/flows/grammar/fault.ts';
import { flowJsonSchema } from '../../src/flows/grammar/schema.ts';
import { flowFilesIn } from '../../src/flows/load-flows.ts';
import { faultsOf, flowOf } from '../support/flows.ts';

const validate = new Ajv2020.default({ strict: false }).compile(flowJsonSchema());

describe('reading a flow', () => {
  it('reports every fault of a file at once, by line and column, with a suggestion', () => {
    const text = `flow: trial
title: Trial
syas: { en: [x] }
needs: { n: numbr }
do:
  - sya: x
  - payments: { prodcut: a }
    on: { sucess: next, else: end }
  - verify: { by: [passkey] }
    else: end
  - end: succes
  - 4
`;
    assert.deepEqual(faultsOf(text), [
      'trial.yaml:3:1: syas is not known here; did you mean says?',
      'trial.yaml:4:13: n must be one of text, number, money, date, email, phone, yes-no, with ? where it may be left out',
      'trial.yaml:6:5: sya is no step; did you mean say?',
      'trial.yaml:7:17: prodcut is not known here; did you mean product?',
      'trial.yaml:8:11: sucess is not known here; did you mean success?',
      'trial.yaml:9:20: passkey must be one of passkeys, one-time-passcode; did you mean passkeys?',
      'trial.yaml:11:10: succes must be one of success, failure, timeout, cancelled; did you mean success?',
      'trial.yaml:12:5: a step must say what it does, such as say: Hello',
    ]);
  });

  for (const [what, text, wanted] of [
    ['a file that is no YAML', 'flow: [a\n b: c', /^trial\.yaml:1:8: Implicit keys/],
    ['a name that no expression could use', flowOf('- set: { 9x: 1 }'), /^trial\.yaml:4:12: 9x must be a name/],
    ['a step with nothing in it', flowOf('- say:'), /^trial\.yaml:4:9: say cannot be empty here/],
    ['a list where a text stands', flowOf('- say: [a]'), /^trial\.yaml:4:10: say cannot be a list here/],
    [
      'choices that are words alone',
      flowOf('- ask: choice\n  as: t\n  text: T?\n  choices: [Green, Night]'),
      /^trial\.yaml:7:15: a choice is written { value: green, title: { en: Green } }$/,
    ],
    ['a phrase without a list', flowOf('- say: x', 'says: pay it'), /^trial\.yaml:3:7: says is written { en: \[pay my bill\] }$/],
    ['phrases without a language', flowOf('- say: x', 'says: [pay it]'), /^trial\.yaml:3:7: says is written { en: \[pay my bill\] }$/],
    ['inputs as a list', flowOf('- say: x', 'needs: [n]'), /^trial\.yaml:3:8: needs is written { amount: number, day: date\? }$/],
    [
      'phrases that are no list',
      flowOf('- say: x', 'says: { en: pay it }'),
      /^trial\.yaml:3:13: en is written as a list: \[pay my bill\]$/,
    ],
    [
      'a colon in a text',
      flowOf('- say: Note: this'),
      /^trial\.yaml:4:\d+: Nested mappings .*; put the text in quotes, where it holds a colon$/,
    ],
    ['a key that is there twice', flowOf('- say: x', 'says: { en: [a] }\nsays: { en: [b] }'), /^trial\.yaml:4:1: says is there twice$/],
    ['no steps', flowOf('').replace('  \n', '  []\n'), /do must hold a step at least/],
    ['a flow without a title', flowOf('- say: x').replace('title: trial\n', ''), /^trial\.yaml:1:1: title is required/],
    [
      'more tries than anybody has patience for',
      flowOf('- passkeys:\n  else: { retry: 6, then: end }'),
      /^trial\.yaml:5:20: retry must be 1 to 5/,
    ],
    ['a name that is not the file’s', flowOf('- say: x', '', 'other'), /^trial\.yaml:1:7: the flow is other, and its file is trial\.yaml/],
    [
      'aliases that grow without end',
      `flow: trial\ntitle: &a [x, x]\ndo: &b [*a, *a, *a]\nparts: { p: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b] }`,
      /trial\.yaml:1:1: it refers to itself/,
    ],
    ['a file that nobody could review', flowOf('- say: x').padEnd(200_001, '#'), /trial\.yaml:1:1: the file is too long/],
  ] as const) {
    it(`reports ${what}`, () => assert.match(faultsOf(text)[0] ?? '', wanted));
  }

  it('takes a file of 200,000 characters', () => assert.deepEqual(faultsOf(flowOf('- say: x').padEnd(200_000, '#')), []));

  it('reports only the first fault of one place', () => {
    const faults = faultsOf(flowOf('- say: { en: Hello: you: there: now, es: Hola }\n- say: "x" y "z" w'));
    const lines = faults.map((line) => line.split(':')[1]);
    assert.deepEqual(lines, [...new Set(lines)], faults.join('\n'));
  });

  it('also reports them as annotations, whatever they contain', () => {
    const fault = { file: 'a,b:c.yaml', line: 3, column: 1, code: 'x', message: '100 %\nwrong', hint: 'mend it' };
    assert.equal(faultAnnotation(fault), '::error file=a%2Cb%3Ac.yaml,line=3,col=1::100 %25%0Awrong; mend it');
    assert.match(faultAnnotation({ ...fault, warning: true }), /^::warning /);
  });

  it('publishes the schema that editors check by: it takes our flows, and not what is no flow', () => {
    assert.deepEqual(JSON.parse(readFileSync('src/flows/flows.schema.json', 'utf8')), flowJsonSchema(), 'npm run schema writes it anew');
    for (const { file, text } of flowFilesIn('dialogs/flows'))
      assert.ok(validate(parse(text)), `${file}: ${JSON.stringify(validate.errors)}`);
    for (const text of [flowOf('- sya: x'), flowOf('- end: succes'), flowOf('- payments: { prodcut: x }\n  else: end'), 'flow: x'])
      assert.equal(validate(parse(text)), false, text);
  });
});
