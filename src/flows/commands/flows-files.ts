// The verbs that work on files: a new flow, its faults, its diagram.
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { flowsFolder } from '../../../dialogs/index.ts';
import type { AnyCapability } from '../../compose/bot/capability.ts';
import { operatorOf } from '../../compose/settings/operator.ts';
import { shipped } from '../../platform/pages/assets.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { faultAnnotation, faultLine, inOrder } from '../grammar/fault.ts';
import { drawFlow } from '../graph.ts';
import { isBroken, type LoadedFlow, type LoadedFlows } from '../load-flows.ts';
import { newFlow, newTests } from '../new-flow.ts';
import { flowFolders, readFlowFolders } from '../open-flows.ts';
import { unknownNames } from './unknown-names.ts';

/** The input of a verb. */
export interface FlowsCall {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly environment: Environment;
  /** All of the program, which the tests of flows have beside the flows. */
  readonly capabilities: readonly AnyCapability[];
  readonly json: boolean;
  /** Prints a line. */
  readonly print: (line: string) => void;
}

/** The flows of a running bot. @throws {SettingsError} if they have faults. */
export const usableFlows = (environment: Environment): LoadedFlows => {
  const loaded = readFlowFolders(flowFolders(environment.FLOWS_DIR));
  if (isBroken(loaded.faults)) throw new SettingsError(loaded.faults.map(faultLine));
  return loaded;
};

/** One of them, by its name or its file. */
export const flowNamed = ({ flows }: LoadedFlows, name: string | undefined): LoadedFlow => {
  const flow = flows.get(basename(name ?? '').replace(/\.ya?ml$/, ''));
  if (!flow) throw new SettingsError([`flows: ${name ?? 'no flow is named: it'} is not one of ${[...flows.keys()].join(', ')}.`]);
  return flow;
};

const schemaFile = (): string => {
  const here = new URL('flows.schema.json', import.meta.url);
  return fileURLToPath(shipped(here, () => new URL('../flows.schema.json', import.meta.url)));
};

export const writeNew = async ({ args: [name = ''], environment, json, options, print }: FlowsCall): Promise<boolean> => {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw new SettingsError(['flows: a flow needs a name of small letters and digits, with hyphens between words, such as settle-bill.']);
  if (existsSync(join(flowsFolder, `${name}.yaml`)) && options.replace !== true)
    throw new SettingsError([
      `flows: ${name} is a built-in flow, which a flow of this name would replace. Choose another name, or add --replace.`,
    ]);
  const folder = environment.FLOWS_DIR || 'flows';
  const files = [`${name}.yaml`, `${name}.test.yaml`].map((file) => join(folder, file));
  const [there] = files.filter((file) => existsSync(file));
  if (there) throw new SettingsError([`flows: ${there} already exists.`]);
  const [flow = '', tests = ''] = files;
  const text = newFlow(name, relative(resolve(folder), schemaFile()));
  const wrong = readFlowFolders([flowsFolder, folder], [{ file: flow, text }]).faults.filter(
    ({ file, warning }) => basename(file) === basename(flow) && !warning,
  );
  if (wrong.length > 0) throw new SettingsError(wrong.map(({ message }) => `flows: ${message}. Choose another name.`));
  mkdirSync(folder, { recursive: true });
  writeFileSync(flow, text);
  writeFileSync(tests, newTests(name));
  print(
    json
      ? JSON.stringify({ files })
      : [`${flow}\n${tests}`, ...(environment.FLOWS_DIR ? [] : [`Set FLOWS_DIR=${folder} so that the bot reads it.`])].join('\n'),
  );
  return true;
};

export const checkFlows = async ({ args, environment, json, options, print }: FlowsCall): Promise<boolean> => {
  const { format = json ? 'json' : environment.GITHUB_ACTIONS === 'true' ? 'github' : 'text' } = options;
  if (format !== 'text' && format !== 'json' && format !== 'github')
    throw new SettingsError(['flows: --format must be text, json or github.']);
  const missing = args.filter((place) => !existsSync(place));
  if (missing.length > 0) throw new SettingsError(missing.map((place) => `flows: there is no ${place}.`));
  const named = new Set(args.filter((place) => statSync(place).isFile()).map((place) => resolve(place)));
  // A file is checked together with the others of its folder, as it may run them.
  const folders = [...new Set(args.map((place) => (statSync(place).isFile() ? dirname(place) : place)))];
  const loaded = readFlowFolders([...flowFolders(environment.FLOWS_DIR), ...folders]);
  const { flows } = loaded;
  const all = inOrder([...loaded.faults, ...(await unknownNames(loaded, operatorOf(environment), environment))]);
  const asked = (file: string) =>
    args.length === 0 ||
    named.has(resolve(file)) ||
    folders.some((folder) => resolve(dirname(file)) === resolve(folder) && ![...named].some((one) => dirname(one) === resolve(folder)));
  const faults = all.filter(({ file }) => asked(file));
  if (format === 'json') print(JSON.stringify(faults, undefined, 2));
  else for (const fault of faults) print(format === 'github' ? faultAnnotation(fault) : faultLine(fault));
  const count = [...flows.values()].filter(({ positions }) => asked(positions.file)).length;
  if (format === 'text' && !isBroken(faults)) print(`${count} ${count === 1 ? 'flow is' : 'flows are'} valid.`);
  return !isBroken(faults);
};

export const drawOne = async ({ args: [name], environment, json, print }: FlowsCall): Promise<boolean> => {
  const { source, version } = flowNamed(usableFlows(environment), name);
  const mermaid = drawFlow(source);
  print(json ? JSON.stringify({ flow: source.flow, version, mermaid }) : mermaid.trimEnd());
  return true;
};
