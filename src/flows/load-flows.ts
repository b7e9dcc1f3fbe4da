// Loads flows from files: each is read and checked, and then all are checked together.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { checkFlow, circlesOf } from './checks/check-flow.ts';
import { type Fault, inOrder } from './grammar/fault.ts';
import { type LocaleFile, localeOf, readLocale, translated } from './grammar/locale-files.ts';
import { type Positions, readFlow } from './grammar/read-flow.ts';
import type { FlowSource } from './grammar/schema.ts';
import { reachedFrom } from './program.ts';
import { comparablePhrase } from './wishes.ts';

/** A file that may contain a flow. */
export interface FlowFile {
  /** The file's name in faults. */
  readonly file: string;
  readonly text: string;
}

export interface LoadedFlow {
  readonly name: string;
  readonly source: FlowSource;
  readonly positions: Positions;
  readonly text: string;
  /** Identifies the content of this flow and of those that it runs: the same content has the same version. */
  readonly version: string;
}

export interface LoadedFlows {
  readonly flows: ReadonlyMap<string, LoadedFlow>;
  readonly faults: readonly Fault[];
}

const ending = /\.ya?ml$/;

const isTest = (file: string): boolean => /\.test\.ya?ml$/.test(file);

/** A folder's files of flows and their texts, without tests. */
export const flowFilesIn = (folder: string): FlowFile[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder)
        .filter((name) => ending.test(name) && !isTest(name))
        .sort()
        .map((name) => ({ file: join(folder, name), text: readFileSync(join(folder, name), 'utf8') }));

/**
 * Reads and checks all files. If several have one name, the last counts, because an operator's own come after ours.
 * Throws nothing: faults are returned.
 */
export const loadFlows = (files: readonly FlowFile[]): LoadedFlows => {
  const faults: Fault[] = [];
  const known = new Map<string, { source: FlowSource; positions: Positions; text: string }>();
  const locales = localesIn(files, faults);
  for (const { file, text } of files) {
    if (localeOf(basename(file))) continue;
    const read = readFlow(text, file);
    faults.push(...read.faults);
    const { source: own, positions: ownPositions } = read;
    const beside = locales.get(basename(file).replace(ending, '')) ?? [];
    locales.delete(basename(file).replace(ending, ''));
    if (!own) continue;
    const { source, positions, faults: more } = translated(own, ownPositions, beside);
    faults.push(...more);
    if (source.flow !== basename(file).replace(ending, ''))
      faults.push(
        positions.fault(['flow'], 'other-name', `the flow is ${source.flow}, and its file is ${basename(file)}`, {
          hint: 'give both one name',
        }),
      );
    // A version is stored as one text with all languages; JSON is YAML too.
    known.set(source.flow, { source, positions, text: beside.length > 0 ? JSON.stringify(source) : text });
  }
  for (const [flow, [first]] of locales)
    if (first) faults.push(first.positions.fault([], 'no-flow', `there is no flow ${flow} that these texts are of`));
  const sources = new Map([...known].map(([name, { source }]) => [name, source]));
  for (const { source, positions } of known.values()) faults.push(...checkFlow(source, positions, sources).faults);
  faults.push(...circlesOf(known), ...samePhrases(known));
  const circular = faults.some(({ code }) => code === 'circle');
  const flows = new Map([...known].map(([name, read]) => [name, { name, ...read, version: circular ? '' : versionOf(name, known) }]));
  return { flows, faults: inOrder(faults) };
};

/** The files of texts, by flow. */
const localesIn = (files: readonly FlowFile[], faults: Fault[]): Map<string, LocaleFile[]> => {
  const locales = new Map<string, LocaleFile[]>();
  for (const { file, text } of files) {
    const of = localeOf(basename(file));
    if (!of) continue;
    const { locale, faults: wrong } = readLocale(text, file, of.language);
    faults.push(...wrong);
    if (locale) locales.set(of.flow, [...(locales.get(of.flow) ?? []), locale]);
  }
  return locales;
};

/** A phrase that two flows share starts neither. */
const samePhrases = (flows: ReadonlyMap<string, { readonly source: FlowSource; readonly positions: Positions }>): Fault[] => {
  const said = [...flows].flatMap(([name, { source, positions }]) =>
    Object.entries(source.says ?? {}).flatMap(([language, phrases]) =>
      phrases.map((phrase, index) => ({
        name,
        positions,
        phrase,
        at: ['says', language, index],
        key: `${language} ${comparablePhrase(phrase)}`,
      })),
    ),
  );
  return said.flatMap(({ name, positions, phrase, at, key }, index) => {
    const other = said.find((one, place) => one.key === key && place !== index);
    if (!other) return [];
    return [
      positions.fault(at, 'same-phrase', other.name === name ? `“${phrase}” is there twice` : `“${phrase}” begins ${other.name} too`),
    ];
  });
};

const versionOf = (name: string, flows: ReadonlyMap<string, { readonly source: FlowSource; readonly text: string }>): string => {
  const texts = [...reachedFrom(name, flows)].map(([one, { text }]) => [one, text]);
  return hash('sha256', JSON.stringify(texts), 'hex').slice(0, 32);
};

/** Whether a fault prevents it from running. */
export const isBroken = (faults: readonly Fault[]): boolean => faults.some(({ warning }) => !warning);
