// The verb that runs the tests of flows, and lists the ways that none of them takes.
import { existsSync, readFileSync } from 'node:fs';
import { operatorOf } from '../../compose/settings/operator.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { type Fault, faultLine } from '../grammar/fault.ts';
import type { LoadedFlow } from '../load-flows.ts';
import { coverageOf, skeletonFor } from '../testing/coverage.ts';
import { openStage } from '../testing/flow-stage.ts';
import { runScript, type TestResult } from '../testing/run-script.ts';
import { readScript, type Script } from '../testing/script.ts';
import { type FlowsCall, flowNamed, usableFlows } from './flows-files.ts';

const scriptOf = ({ positions: { file } }: LoadedFlow): Script | readonly Fault[] | undefined => {
  const beside = file.replace(/\.ya?ml$/, '.test.yaml');
  return existsSync(beside) ? readScript(readFileSync(beside, 'utf8'), beside) : undefined;
};

const lineOf = ({ file, line, flow, name, failed }: TestResult) =>
  failed === undefined ? `ok    ${flow}: ${name}` : `FAIL  ${flow}: ${name}\n      ${file}:${line}: ${failed}`;

export const testFlows = async ({ args, capabilities, environment, json, options, print }: FlowsCall): Promise<boolean> => {
  const loaded = usableFlows(environment);
  const operator = operatorOf(environment);
  const chosen = args.length > 0 ? args.map((name) => flowNamed(loaded, name)) : [...loaded.flows.values()];
  const read: readonly (Fault | Script)[] = chosen.flatMap((flow): readonly (Fault | Script)[] => {
    const script = scriptOf(flow);
    return script === undefined ? [] : 'tests' in script ? [script] : script;
  });
  const faults = read.filter((one): one is Fault => !('tests' in one));
  const scripts = read.filter((one): one is Script => 'tests' in one);
  const results: TestResult[] = [];
  const taken = new Set<string>();
  const warnings: Fault[] = [];
  if (faults.length === 0)
    for (const script of scripts) {
      const { name } = flowNamed(loaded, script.flow);
      const run = await runScript(script, (stage) => openStage(loaded, name, { ...operator, ...stage, capabilities }));
      results.push(...run.results);
      warnings.push(...run.warnings);
      for (const edge of run.taken) taken.add(edge);
      if (!json && options.missing !== true) for (const result of run.results) print(lineOf(result));
    }
  const failed = results.filter((result) => result.failed !== undefined);
  const covered = chosen.flatMap((flow) => coverageOf(flow, taken));
  const missing = covered.filter((edge) => !edge.taken);
  const counts = { edges: covered.length, taken: covered.length - missing.length };
  const asked = options.coverage === true || options.missing === true;
  if (json) {
    const uncovered = missing.map(({ flow, file, line, place, edge }) => ({ flow, file, line, place, edge }));
    print(JSON.stringify({ faults, results, warnings, ...(asked && { coverage: { ...counts, uncovered } }) }, undefined, 2));
  } else if (faults.length > 0) for (const fault of faults) print(faultLine(fault));
  else if (options.missing === true) {
    for (const { name, source } of chosen) {
      const edges = missing.filter(({ flow }) => flow === name);
      if (edges.length > 0) print(skeletonFor(source, edges).trimEnd());
    }
  } else {
    for (const warning of warnings) print(faultLine(warning));
    print(`${results.length - failed.length} of ${results.length} tests passed.`);
    if (options.coverage === true) {
      for (const { file, line, flow, edge, place } of missing) print(`${file}:${line}: no test of ${flow} takes ${edge} of ${place}`);
      print(
        `${counts.taken} of ${counts.edges} branches are covered (${counts.edges === 0 ? 100 : Math.floor((counts.taken * 100) / counts.edges)} %).`,
      );
    }
  }
  if (!json && args.length === 0 && read.length === 0) throw new SettingsError(['flows: there are no tests.']);
  return faults.length === 0 && failed.length === 0 && (options.coverage !== true || missing.length === 0);
};
