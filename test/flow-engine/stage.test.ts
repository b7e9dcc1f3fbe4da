import assert from 'node:assert/strict';
import { appIds } from '../../src/contract/index.ts';
import { openStage } from '../../src/flows/testing/flow-stage.ts';
import { runScript } from '../../src/flows/testing/run-script.ts';
import { readScript } from '../../src/flows/testing/script.ts';
import { flowOf, flowsOf } from '../support/flows.ts';

const outcomes = ['success', 'failure', 'timeout', 'cancelled'] as const;

/** What is wrong with the tests of a flow, when they are run. */
const failuresOf = async (flow: string, tests: string): Promise<string[]> => {
  const loaded = flowsOf({ trial: flow });
  const script = readScript(tests, 'trial.test.yaml');
  assert.ok('tests' in script, JSON.stringify(script));
  const { results } = await runScript(script, (options) => openStage(loaded, 'trial', options));
  return results.flatMap(({ failed, name }) => (failed === undefined ? [] : [`${name}: ${failed}`]));
};
const testsOf = (...tests: readonly (readonly [name: string, ...steps: readonly string[]])[]) =>
  `flow: trial\ntests:\n${tests.map(([name, ...steps]) => `  - name: ${name}\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`).join('')}`;

describe('the test stage for flows', function () {
  this.timeout(300_000);

  for (const app of appIds)
    it(`ends ${app} with every outcome, at the reference service`, async () => {
      const choice: Partial<Record<string, string>> = {
        payments: '{ product: fibre-router }',
        'e-form': '{ form: Feedback }',
        'document-signature': '{ document: Direct debit mandate }',
      };
      const flow = flowOf(`- ${app}: ${choice[app] ?? ''}\n  as: it\n  on: { success: end, failure: end, timeout: end, cancelled: end }`);
      assert.deepEqual(
        await failuresOf(flow, testsOf(...outcomes.map((outcome) => [outcome, `device: ${app} ${outcome}`, `ends: ${outcome}`] as const))),
        [],
      );
    });

  it('verifies by a passcode if the flow says so, which does not count as a passkey', async () => {
    const flow = flowOf(
      '- verify: { by: [one-time-passcode] }\n  else: end\n- verify: { by: [one-time-passcode], fresh: 5m }\n  else: end\n- verify: { by: [passkeys] }\n  else: end',
    );
    const test = ['both', 'device: one-time-passcode success', 'device: passkeys success', 'ends: success'] as const;
    assert.deepEqual(await failuresOf(flow, testsOf(test)), []);
  });

  it('goes on with the customer whom the flow has verified, although somebody else was in the chat before', async () => {
    const flow = flowOf('- verify:\n  else: end\n- payments: { product: fibre-router }\n  else: end');
    const begins = ['customer: trial', 'customer: start over', 'customer: trial'];
    const steps = [...begins, 'device: passkeys success', 'device: payments success', 'ends: success'];
    assert.deepEqual(await failuresOf(flow, testsOf(['changes hands', ...steps])), []);
  });

  it('reports what a script expects in vain', async () => {
    const flow = flowOf('- ask: text\n  as: n\n  text: Why?\n- payments: { product: fibre-router }\n  else: end');
    const failures = await failuresOf(
      flow,
      testsOf(
        ['another app', 'customer: trial', 'customer: x', 'device: passkeys success'],
        ['a question before it', 'device: payments success'],
        ['too soon', 'ends: success'],
        ['other words', 'bot: /^because/i'],
        ['after the end', 'customer: trial', 'customer: cancel', 'device: payments success'],
      ),
    );
    assert.deepEqual(
      failures.map((line) => line.replace(/ It said:[\s\S]*/, '')),
      [
        'another app: the flow waits for payments, not for passkeys',
        'a question before it: the flow asks something before payments: Why?',
        'too soon: the flow has not ended in success: at do.0 (trial.yaml:4) it waits for ask: n (text)',
        'other words: the bot did not say “/^because/i”.',
        'after the end: nothing waits for payments: the flow has ended',
      ],
    );
  });

  it('fails if the flow fills a document in wrongly, instead of answering for it', async () => {
    const signs = (variables: string) =>
      flowOf(`- document-signature:\n    document: Solar panel consent\n    variables: ${variables}\n  else: end`);
    const device = ['signs', 'device: document-signature success'] as const;
    const mistaken = signs('{ ownerNam: Mia, panels: many }');
    const [unknown = ''] = await failuresOf(mistaken, testsOf(device));
    assert.match(unknown, /trial\.yaml:6: ownerNam is no variable of “.+”; did you mean ownerName\?/);
    const [refused = ''] = await failuresOf(signs('{ ownerName: Mia, panels: many, visitDate: "2026-12-05" }'), testsOf(device));
    assert.match(refused, /trial\.yaml:6: the service refused "many" as panels of “.+”/);
    const [missing = ''] = await failuresOf(signs('{ ownerName: Mia, panels: "8" }'), testsOf(device));
    assert.match(missing, /trial\.yaml:6: “.+” needs visitDate too/);
    const answered = ['answers', 'customer: trial', 'customer: "yes"', 'customer: Send', 'customer: Mia', 'ends: success'] as const;
    assert.match((await failuresOf(mistaken, testsOf(answered)))[0] ?? '', /ownerNam is no variable/);
    const right = signs('{ ownerName: Mia, panels: "8", visitDate: "2026-12-05" }');
    const seen = ['signs', 'device: document-signature success', 'bot: "Owner of the house: Mia"', 'ends: success'] as const;
    assert.deepEqual(await failuresOf(right, testsOf(seen)), []);
  });

  it('shows what was said since the last step that passed, a message a line, and what the flow waits for', async () => {
    const flow = flowOf('- say: First\n- ask: text\n  as: n\n  text: |\n    Why?\n    Say it.');
    const failures = await failuresOf(flow, testsOf(['words', 'bot: First', 'bot: Bonjour'], ['end', 'ends: success']));
    assert.deepEqual(failures, [
      'words: the bot did not say “Bonjour”. It said:\n        Why? ⏎ Say it.',
      'end: the flow has not ended in success: at do.1 (trial.yaml:5) it waits for ask: n (text)',
    ]);
  });

  it('advances the clock only when a script says so', async () => {
    const before = Date.now();
    const flow = flowOf('- ask: date\n  as: day\n  text: When?\n- say: "#{day}"');
    assert.deepEqual(
      await failuresOf(
        flow,
        testsOf(['three days', 'bot: When?', 'clock: +71h', 'customer: 5 December 2026', 'bot: Dec 5, 2026', 'ends: success']),
      ),
      [],
    );
    assert.ok(Math.abs(Date.now() - before) < 120_000, 'the clock of the process is its own again');
  });
});
