import assert from 'node:assert/strict';
import { flowFilesIn, loadFlows } from '../../src/flows/load-flows.ts';
import { coverageOf, skeletonFor } from '../../src/flows/testing/coverage.ts';
import { openStage } from '../../src/flows/testing/flow-stage.ts';
import { runScript } from '../../src/flows/testing/run-script.ts';
import { readScript } from '../../src/flows/testing/script.ts';
import { flowOf, flowsOf, shippedTests } from '../support/flows.ts';

const files = flowFilesIn('dialogs/flows');
describe('the included flows', function () {
  this.timeout(300_000);
  const loaded = loadFlows(files);

  for (const [name, flow] of loaded.flows) {
    it(`${name} passes its tests, which cover every path`, async () => {
      const script = shippedTests(name);
      const { results, taken } = await runScript(script, (options) => openStage(loaded, name, options));
      assert.deepEqual(
        results.flatMap(({ failed, line }) => (failed === undefined ? [] : [`${line}: ${failed}`])),
        [],
      );
      assert.deepEqual(
        coverageOf(flow, taken).flatMap((edge) => (edge.taken ? [] : [`${edge.line}: ${edge.edge}`])),
        [],
      );
    });
  }

  it('get drafts of tests that answer the flow’s questions, so that they run unchanged', async () => {
    const asks = ['text', 'number', 'email', 'phone', 'yes-no'].map(
      (kind) => `- ask: ${kind}\n  as: ${kind.replace('-', '_')}\n  text: Well?`,
    );
    const choice = '- ask: choice\n  as: size\n  text: Which?\n  choices: [{ value: s, title: Small }, { value: l, title: Large }]';
    const asking = flowsOf({ trial: flowOf([...asks, choice, '- payments: { product: Fibre router }\n  else: end'].join('\n')) });
    const flow = asking.flows.get('trial') ?? assert.fail();
    const missing = coverageOf(flow, new Set());
    const script = readScript(skeletonFor(flow.source, missing), 'skeleton.yaml');
    assert.ok('tests' in script);
    const { results } = await runScript(script, (options) => openStage(asking, 'trial', options));
    assert.equal(results.length, 2);
    assert.deepEqual(
      results.flatMap(({ failed }) => failed ?? []),
      [],
    );
  });

  it('get drafts of tests for the paths that no test takes', async () => {
    const flow = loaded.flows.get('settle-bill');
    assert.ok(flow);
    const missing = coverageOf(flow, new Set());
    assert.equal(missing.length, 7);
    const script = readScript(skeletonFor(flow.source, missing), 'skeleton.yaml');
    assert.ok('tests' in script);
    const { results, taken } = await runScript(script, (options) => openStage(loaded, flow.name, options));
    assert.deepEqual(
      results.flatMap(({ failed }) => failed ?? []),
      [],
    );
    assert.deepEqual(
      coverageOf(flow, taken).filter((edge) => !edge.taken),
      [],
    );
  });
});
