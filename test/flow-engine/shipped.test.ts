import assert from 'node:assert/strict';
import { openStage } from '../../src/compose/flow-stage.ts';
import { coverageOf, flowFilesIn, loadFlows, readScript, runScript, skeletonFor } from '../../src/flows/index.ts';
import { shippedTests } from '../support/flows.ts';

const files = flowFilesIn('dialogs/flows');
describe('the flows that come along', function () {
  this.timeout(300_000);
  const loaded = loadFlows(files);

  for (const [name, flow] of loaded.flows) {
    it(`${name} does what its tests say, and they take every way on`, async () => {
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

  it('are begun for the ways that no test takes by tests that take them', async () => {
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
