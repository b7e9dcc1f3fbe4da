// The flows of some files: each read and checked, and checked beside each other.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkFlow, circlesOf } from './check-flow.ts';
import { type Fault, inOrder } from './fault.ts';
import { stepsOf } from './program.ts';
import { type Places, readFlow } from './read-flow.ts';
import type { FlowSource } from './schema.ts';
import { comparablePhrase } from './wishes.ts';

/** A file that may hold a flow. */
export interface FlowFile {
  /** As faults name it. */
  readonly file: string;
  readonly text: string;
}

export interface LoadedFlow {
  readonly name: string;
  readonly source: FlowSource;
  readonly places: Places;
  readonly text: string;
  /** Names the content of this flow and of those that it runs: the same content, the same version. */
  readonly version: string;
}

export interface LoadedFlows {
  readonly flows: ReadonlyMap<string, LoadedFlow>;
  readonly faults: readonly Fault[];
}

const ending = /\.ya?ml$/;

const isTest = (file: string): boolean => /\.test\.ya?ml$/.test(file);

/** The flows' files of a folder, without their tests. */
export const flowFilesIn = (folder: string): FlowFile[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder)
        .filter((name) => ending.test(name) && !isTest(name))
        .sort()
        .map((name) => ({ file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));

/** Reads and checks them all. Of several with one name the last counts: an operator's own come after ours. Nothing is thrown: what is wrong is told. */
export const loadFlows = (files: readonly FlowFile[]): LoadedFlows => {
  const faults: Fault[] = [];
  const known = new Map<string, { source: FlowSource; places: Places; text: string }>();
  for (const { file, text } of files) {
    const read = readFlow(text, file);
    faults.push(...read.faults);
    const { places, source } = read;
    if (!source) continue;
    if (source.flow !== basename(file).replace(ending, ''))
      faults.push(
        places.fault(['flow'], {
          code: 'other-name',
          message: `the flow is ${source.flow}, and its file is ${basename(file)}`,
          hint: 'give both one name',
        }),
      );
    known.set(source.flow, { source, places, text });
  }
  const sources = new Map([...known].map(([name, { source }]) => [name, source]));
  for (const { source, places } of known.values()) faults.push(...checkFlow(source, places, sources).faults);
  faults.push(...circlesOf(known), ...samePhrases(known));
  const circular = faults.some(({ code }) => code === 'circle');
  const flows = new Map([...known].map(([name, read]) => [name, { name, ...read, version: circular ? '' : versionOf(name, known) }]));
  return { flows, faults: inOrder(faults) };
};

/** A phrase that would begin two flows begins neither. */
const samePhrases = (flows: ReadonlyMap<string, { readonly source: FlowSource; readonly places: Places }>): Fault[] => {
  const said = [...flows].flatMap(([name, { source, places }]) =>
    Object.entries(source.says ?? {}).flatMap(([language, phrases]) =>
      phrases.map((phrase, index) => ({
        name,
        places,
        phrase,
        at: ['says', language, index],
        key: `${language} ${comparablePhrase(phrase)}`,
      })),
    ),
  );
  return said.flatMap(({ name, places, phrase, at, key }, index) => {
    const other = said.find((one, place) => one.key === key && place !== index);
    if (!other) return [];
    return [
      places.fault(at, {
        code: 'same-phrase',
        message: other.name === name ? `“${phrase}” is there twice` : `“${phrase}” begins ${other.name} too`,
      }),
    ];
  });
};

/** The flow and those that it runs, by name. */
export const reachedFrom = <Read extends { readonly source: FlowSource }>(
  name: string,
  flows: ReadonlyMap<string, Read>,
): Map<string, Read> => {
  const reached = new Map<string, Read>();
  const visit = (one: string) => {
    const read = flows.get(one);
    if (!read || reached.has(one)) return;
    reached.set(one, read);
    for (const [, step] of stepsOf(read.source)) if ('run' in step) visit(step.run);
  };
  visit(name);
  return reached;
};

const versionOf = (name: string, flows: ReadonlyMap<string, { readonly source: FlowSource; readonly text: string }>): string => {
  const texts = [...reachedFrom(name, flows)].map(([one, { text }]) => [one, text]);
  return hash('sha256', JSON.stringify(texts), 'hex').slice(0, 32);
};

/** Whether anything keeps it from running. */
export const isBroken = (faults: readonly Fault[]): boolean => faults.some(({ warning }) => !warning);
