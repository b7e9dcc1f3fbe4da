// `countersign flows <verb>`: what designers do with flows at a terminal, in a pipeline and in production.
import { parseArgs } from 'node:util';
import type { Environment } from '../platform/environment.ts';
import { called } from '../platform/run-process.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { checkFlows, drawOne, type FlowsCall, writeNew } from './flows-files.ts';
import { testFlows } from './flows-tests.ts';
import { compareVersions, moveRuns, tellStatus } from './flows-versions.ts';

interface FlowsVerb {
  readonly usage: string;
  readonly does: string;
  readonly options?: Readonly<Record<string, { readonly type: 'boolean' | 'string'; readonly multiple?: boolean }>>;
  /** Answers whether all is well. @throws {SettingsError} when it cannot be done. */
  readonly run: (call: FlowsCall) => Promise<boolean>;
}

const flowVerbs = {
  new: {
    usage: '<name> [--replace]',
    does: 'Writes a flow to begin with, and its tests, into FLOWS_DIR, or into flows/ where that is not set. --replace: in place of one of ours.',
    options: { replace: { type: 'boolean' } },
    run: writeNew,
  },
  check: {
    usage: '[file or folder …] [--format=text|json|github]',
    does: 'Tells everything that is wrong, as file:line:column. Without files: our flows and those in FLOWS_DIR.',
    options: { format: { type: 'string' } },
    run: checkFlows,
  },
  draw: { usage: '<flow>', does: 'Prints the flow as a diagram in Mermaid.', run: drawOne },
  test: {
    usage: '[flow …] [--coverage] [--missing]',
    does: 'Runs the tests beside the flows, offline. --coverage: tells the ways on that no test takes; --missing: writes the beginning of tests for them.',
    options: { coverage: { type: 'boolean' }, missing: { type: 'boolean' } },
    run: testFlows,
  },
  status: { usage: '', does: 'Tells which versions conversations are in, and how many of them.', run: tellStatus },
  diff: {
    usage: '<flow> [version] | <file> <file>',
    does: 'Tells which steps were added, removed, changed and moved since a version: the newest that was begun, unless told.',
    run: compareVersions,
  },
  move: {
    usage: '<flow> --from=<version> [--map=<place>=<place> …] [--dry-run]',
    does: 'Takes the conversations in a version over to the flow as it is now, all of them or none.',
    options: { from: { type: 'string' }, map: { type: 'string', multiple: true }, 'dry-run': { type: 'boolean' } },
    run: moveRuns,
  },
} as const satisfies Readonly<Record<string, FlowsVerb>>;

const lineOf = (name: string, { usage, does }: FlowsVerb) =>
  `${called(`npm run flows -- ${name}`, `countersign flows ${name}`)}${usage && ` ${usage}`}\n    ${does}`;

const help = (name?: string): string =>
  [
    ...Object.entries(flowVerbs as Readonly<Record<string, FlowsVerb>>)
      .filter(([verb]) => name === undefined || verb === name)
      .map(([verb, one]) => lineOf(verb, one)),
    'Every one has --json and --help. It exits with 0, with 1 where faults were found, and with 78 where it cannot be used.',
  ].join('\n');

/** The exit code. @throws {SettingsError} when the command cannot be used (78). */
export const runFlows = async (words: readonly string[], environment: Environment, print: (line: string) => void): Promise<0 | 1> => {
  const [name = '', ...rest] = words;
  const verb: FlowsVerb | undefined = Object.hasOwn(flowVerbs, name) ? flowVerbs[name as keyof typeof flowVerbs] : undefined;
  const wantsHelp = words.includes('--help') || words.includes('-h');
  if (!verb && (wantsHelp || name === '')) {
    print(help());
    return 0;
  }
  if (!verb) throw new SettingsError([`flows: ${name} is none of ${Object.keys(flowVerbs).join(', ')}.`]);
  if (wantsHelp) {
    print(help(name));
    return 0;
  }
  const { values, positionals }: { values: FlowsCall['options']; positionals: string[] } = parsed(rest, verb);
  const well = await verb.run({
    args: positionals,
    options: values,
    environment,
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
