// `countersign flows <verb>`: what designers do with flows at a terminal, in a pipeline and in production.
import { parseArgs } from 'node:util';
import type { AnyCapability } from '../../compose/bot/capability.ts';
import { called } from '../../platform/process/run-process.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { ownValue } from '../../platform/text/own-value.ts';
import { checkFlows, drawOne, type FlowsCall, writeNew } from './flows-files.ts';
import { testFlows } from './flows-tests.ts';
import { compareVersions, moveRuns, tellStatus } from './flows-versions.ts';

interface FlowsVerb {
  readonly usage: string;
  readonly does: string;
  readonly options?: Readonly<Record<string, { readonly type: 'boolean' | 'string'; readonly multiple?: boolean }>>;
  /** Returns whether everything is valid. @throws {SettingsError} if it cannot be done. */
  readonly run: (call: FlowsCall) => Promise<boolean>;
}

const flowVerbs: Readonly<Record<string, FlowsVerb>> = {
  new: {
    usage: '<name> [--replace]',
    does: 'Writes a starter flow and its tests to FLOWS_DIR, or to flows/ if that is not set. --replace: to replace a built-in flow.',
    options: { replace: { type: 'boolean' } },
    run: writeNew,
  },
  check: {
    usage: '[file or folder …] [--format=text|json|github]',
    does: 'Lists every fault with file:line:column. Without files: checks the built-in flows and those in FLOWS_DIR.',
    options: { format: { type: 'string' } },
    run: checkFlows,
  },
  draw: { usage: '<flow>', does: 'Prints the flow as a diagram in Mermaid.', run: drawOne },
  test: {
    usage: '[flow …] [--coverage] [--missing]',
    does: 'Runs the tests beside the flows, offline. --coverage: lists the branches that no test takes; --missing: prints skeleton tests for them.',
    options: { coverage: { type: 'boolean' }, missing: { type: 'boolean' } },
    run: testFlows,
  },
  status: { usage: '', does: 'Shows how many conversations are in each version.', run: tellStatus },
  diff: {
    usage: '<flow> [version] | <file> <file>',
    does: 'Shows which steps were added, removed, changed and moved since a version, by default the newest one that was started.',
    run: compareVersions,
  },
  move: {
    usage: '<flow> --from=<version> [--map=<place>=<place> …] [--dry-run]',
    does: 'Moves the conversations in a version to the current flow, all of them or none.',
    options: { from: { type: 'string' }, map: { type: 'string', multiple: true }, 'dry-run': { type: 'boolean' } },
    run: moveRuns,
  },
};

const lineOf = (name: string, { usage, does }: FlowsVerb) =>
  `${called(`npm run flows -- ${name}`, `countersign flows ${name}`)}${usage && ` ${usage}`}\n    ${does}`;

const help = (name?: string): string =>
  [
    ...Object.entries(flowVerbs)
      .filter(([verb]) => name === undefined || verb === name)
      .map(([verb, one]) => lineOf(verb, one)),
    'Every verb has --json and --help. Exit codes: 0, 1 if faults were found, 78 if the command cannot be used.',
  ].join('\n');

/** The exit code. @throws {SettingsError} if the command cannot be used (78). */
export const runFlows = async (
  words: readonly string[],
  environment: Environment,
  print: (line: string) => void,
  capabilities: readonly AnyCapability[],
): Promise<0 | 1> => {
  const [name = '', ...rest] = words;
  const verb = ownValue(flowVerbs, name);
  const wantsHelp = words.includes('--help') || words.includes('-h');
  if (!verb && (wantsHelp || name === '')) {
    print(help());
    return 0;
  }
  if (!verb) throw new SettingsError([`flows: ${name} is not one of ${Object.keys(flowVerbs).join(', ')}.`]);
  if (wantsHelp) {
    print(help(name));
    return 0;
  }
  const { values, positionals }: { values: FlowsCall['options']; positionals: string[] } = parsed(rest, verb);
  const well = await verb.run({
    args: positionals,
    options: values,
    environment,
    capabilities,
    json: values.json === true || values.format === 'json',
    print,
  });
  return well ? 0 : 1;
};

const parsed = (words: readonly string[], { options = {} }: FlowsVerb) => {
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options: { json: { type: 'boolean' }, ...options } });
  } catch (fault) {
    throw new SettingsError([`flows: ${(fault as Error).message}`]);
  }
};
