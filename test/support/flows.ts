// Flows of a test's own: written as text, and talked to in a chat without a channel.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultLine, isBroken, type LoadedFlows } from '../../src/flows/index.ts';
import { loadFlows } from '../../src/flows/load-flows.ts';
import { readScript, type Script } from '../../src/flows/testing/script.ts';

/**
 * A flow around some steps. `head` is what else it has: `needs`, `gives`, `parts`. An expression stands in `#{…}` here.
 */
export const flowOf = (steps: string, head = '', name = 'trial'): string =>
  `flow: ${name}\ntitle: ${name}\n${head}${head && '\n'}do:\n${steps.replace(/^/gm, '  ')}\n`.replaceAll('#{', '${');

/** The flows of some texts, by name; without faults. */
export const flowsOf = (texts: Readonly<Record<string, string>>): LoadedFlows => {
  const loaded = loadFlows(Object.entries(texts).map(([name, text]) => ({ file: `${name}.yaml`, text })));
  assert.equal(isBroken(loaded.faults), false, loaded.faults.map(faultLine).join('\n'));
  return loaded;
};

/** What is wrong with one flow, as it is told. */
export const faultsOf = (text: string, name = 'trial'): string[] => loadFlows([{ file: `${name}.yaml`, text }]).faults.map(faultLine);

/** The tests of a flow that comes along. */
export const shippedTests = (name: string): Script => {
  const file = `dialogs/flows/${name}.test.yaml`;
  const script = readScript(readFileSync(file, 'utf8'), file);
  assert.ok('tests' in script, JSON.stringify(script));
  return script;
};

/** A folder that holds one flow of this name. */
export const flowsFolder = (name: string, text: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-flows-'));
  writeFileSync(join(folder, `${name}.yaml`), `flow: ${name}\n${text}`);
  return folder;
};
