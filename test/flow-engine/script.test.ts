import assert from 'node:assert/strict';
import { faultLine } from '../../src/flows/index.ts';
import { readScript } from '../../src/flows/testing/script.ts';

/** What is wrong with one step of a test. */
const faultOf = (step: string): string => {
  const read = readScript(`flow: trial\ntests:\n  - name: one\n    steps:\n      - ${step}\n`, 'trial.test.yaml');
  return 'tests' in read ? '' : read.map(faultLine).join('\n');
};

describe('a mistake in a file of tests', () => {
  for (const [step, told] of [
    ['devise: passkeys success', '5:9: devise is no step of a test; did you mean device?'],
    ['say: hello', '5:9: say is no step of a test: it is one of customer, device, bot, clock and ends'],
    [
      'ends: succes',
      '5:9: succes is no way to end: it is one of success, failure, timeout, cancelled, handoff, left; did you mean success?',
    ],
    [
      'device: document-signature succes',
      '5:9: succes is no outcome of an app: it is one of success, failure, timeout, cancelled; did you mean success?',
    ],
    ['device: document-signatur success', '5:9: document-signatur is no app: it is one of '],
    ['device: passkeys', '5:9: device must be an app and an outcome, such as payments failure'],
    ['clock: 10m', '5:9: clock must be a time such as +10m'],
    ['bot: "/Shall (/"', '5:9: /Shall (/ is not a pattern: missing closing ): "Shall ("'],
    ['bot: ""', '5:9: bot must not be empty'],
    ['{ bot: x, ends: success }', '5:9: a step does one thing: bot or ends'],
    ['hello', '5:9: a step of a test is one of customer, device, bot, clock and ends, with what it says'],
  ] as const)
    it(`is reported: ${step}`, () => {
      assert.ok(faultOf(step).startsWith(`trial.test.yaml:${told}`), faultOf(step));
    });

  it('is reported: inputs of a flow that the customer starts with words', () => {
    const text = 'flow: trial\ntests:\n  - name: one\n    inputs: { bill: b1 }\n    steps:\n      - customer: pay my bill\n';
    const read = readScript(text, 'trial.test.yaml');
    assert.deepEqual('tests' in read ? [] : read.map(faultLine), [
      'trial.test.yaml:4:13: inputs are for a flow that starts without words: leave them out, or the customer’s first words',
    ]);
    assert.ok('tests' in readScript(text.replace('customer: pay my bill', 'device: passkeys success'), 'trial.test.yaml'));
  });
});
