import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { isBroken } from '../../src/flows/index.ts';
import { flowFilesIn, loadFlows } from '../../src/flows/load-flows.ts';
import { openStage } from '../../src/flows/testing/flow-stage.ts';
import { runScript } from '../../src/flows/testing/run-script.ts';
import { shippedTests } from '../support/flows.ts';

const files = flowFilesIn('dialogs/flows');

/** The flow with one of its ways on leading nowhere in particular. */
const mutants = (name: string) => {
  const { source } = loadFlows(files).flows.get(name) as { readonly source: object };
  const found: { readonly what: string; readonly text: string }[] = [];
  const visit = (node: unknown, path: readonly string[]) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (path.at(-1) === 'on') {
        const other = structuredClone(source);
        const on = [...path].reduce<Record<string, never>>((at, part) => at[part] as never, other as never) as Record<string, unknown>;
        on[key] = value === 'next' ? 'end' : 'next';
        found.push({ what: [...path, key].join('.'), text: stringify(other) });
      }
      visit(value, [...path, key]);
    }
  };
  visit(source, []);
  return found;
};

describe('a flow with two branches swapped', function () {
  this.timeout(600_000);
  for (const { flow } of files.map(({ file }) => ({ flow: file.replace(/.*\/|\.yaml$/g, '') })))
    for (const { what, text } of mutants(flow))
      it(`is noticed: ${flow}, ${what}`, async () => {
        const others = files.filter(({ file }) => !file.endsWith(`${flow}.yaml`));
        const loaded = loadFlows([...others, { file: `${flow}.yaml`, text }]);
        // The checker is the first to notice.
        if (isBroken(loaded.faults)) return;
        const { results } = await runScript(shippedTests(flow), (options) => openStage(loaded, flow, options));
        assert.ok(results.some(({ failed }) => failed !== undefined));
      });
});
