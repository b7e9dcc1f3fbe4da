// Reads a flow's file: first the YAML, then the grammar. All faults are reported together, each with its line and
// column.

import { LRUCache } from 'lru-cache';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { plainly } from '../../platform/settings/issues.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';
import type { Fault } from './fault.ts';
import { flowSchema, stepShapes, verbOf, verbs } from './schema.ts';

export type Path = readonly PropertyKey[];

/** Where values are in a file. */
export interface Positions {
  readonly file: string;
  /** The fault at a value, or at its `key`; `from` characters into it, if it is on one line. */
  fault(
    at: Path,
    code: string,
    message: string,
    more?: Pick<Fault, 'hint' | 'warning'> & { readonly key?: true; readonly from?: number },
  ): Fault;
  /** The line of a value. */
  line(at: Path): number;
}

/** More than a person would review; it also limits what is parsed. */
const longest = 200_000;

/** YAML's errors for an unquoted text with a colon. */
const colons: ReadonlySet<string> = new Set(['BLOCK_AS_IMPLICIT_KEY', 'BLOCK_IN_FLOW']);

/** The YAML contents of a file. */
export const parseFlowFile = (
  text: string,
  file: string,
): { readonly positions: Positions; readonly written?: unknown; readonly faults: readonly Fault[] } => {
  const lines = new LineCounter();
  const document = parseDocument(text.length > longest ? '' : text, { lineCounter: lines, prettyErrors: true, uniqueKeys: true });
  const positions = positionsIn(document, lines, file, text);
  if (text.length > longest)
    return { positions, faults: [{ file, line: 1, column: 1, code: 'too-long', message: 'the file is too long' }] };
  const all = document.errors.map(({ linePos, code, message, pos }): Fault => {
    const [{ line, col: column } = { line: 1, col: 1 }] = linePos ?? [];
    const said = (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
    const [key = ''] = /^[^:\n]+/.exec(text.slice(pos[0])) ?? [];
    return {
      file,
      line,
      column,
      code: `yaml-${code.toLowerCase().replaceAll('_', '-')}`,
      message: code === 'DUPLICATE_KEY' ? `${key.trim()} is there twice` : said,
      ...(colons.has(code) && { hint: 'put the text in quotes, where it holds a colon' }),
    };
  });
  // More faults on a line are mostly consequences of the first.
  const broken = all.filter(({ line }, index) => all.findIndex((one) => one.line === line) === index);
  if (broken.length > 0) return { positions, faults: broken };
  try {
    return { positions, written: document.toJS({ maxAliasCount: 20 }), faults: [] };
  } catch {
    return {
      positions,
      faults: [{ file, line: 1, column: 1, code: 'yaml-alias', message: 'it refers to itself, or repeats too much by aliases' }],
    };
  }
};

/** Parsed contents as a schema reads them, or the faults. */
export const readWith = <Value>(
  schema: z.ZodType<Value>,
  written: unknown,
  positions: Positions,
): { readonly value?: Value; readonly faults: readonly Fault[] } => {
  const { success, data, error } = schema.safeParse(written, { error: plainly });
  return success ? { value: data, faults: [] } : { faults: error.issues.flatMap((issue) => faultsOf(issue, [], written, positions)) };
};

const read = (text: string, file: string) => {
  const { positions, written, faults } = parseFlowFile(text, file);
  if (faults.length > 0) return { positions, faults };
  const { value: source, faults: wrong } = readWith(flowSchema, written, positions);
  return { positions, faults: wrong, source };
};

/** When one file of a folder changes, the others need not be parsed again. */
const known = new LRUCache<string, ReturnType<typeof read>, { readonly text: string; readonly file: string }>({
  maxSize: 300_000,
  sizeCalculation: (_, name) => name.length,
  memoMethod: (_name, _stale, { context: { text, file } }) => read(text, file),
});

/** A flow's file, checked against the grammar. */
export const readFlow = (text: string, file: string) => known.memo(`${file}\n${text}`, { context: { text, file } });

const positionsIn = (document: Document, lines: LineCounter, file: string, text: string): Positions => {
  const nodeAt = (at: Path) =>
    (at.length === 0 ? document.contents : document.getIn(at, true)) as { range?: [number, number, number] } | undefined;
  const keyAt = (at: Path) => {
    const parent = nodeAt(at.slice(0, -1));
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(at.at(-1))) : undefined;
    return pair?.key as { range?: [number, number, number] } | undefined;
  };
  /** The nearest existing value. */
  const offsetOf = (at: Path, key?: true): number => {
    const own = (key ? (keyAt(at) ?? nodeAt(at)) : (nodeAt(at) ?? keyAt(at)))?.range?.[0];
    return own ?? (at.length > 0 ? offsetOf(at.slice(0, -1)) : 0);
  };
  const within = (at: Path, from: number): number => {
    const node = nodeAt(at);
    const start = node?.range?.[0] ?? offsetOf(at);
    if (!isScalar(node) || typeof node.value !== 'string' || node.type?.startsWith('BLOCK')) return start;
    const shift = node.type === 'PLAIN' ? 0 : 1;
    // An offset is only right if the file has the text exactly as it was read.
    return text.startsWith(node.value.slice(0, from), start + shift) ? start + shift + from : start;
  };
  return {
    file,
    fault: (at, code, message, { key, from, ...more } = {}) => {
      const { line, col: column } = lines.linePos(from === undefined ? offsetOf(at, key) : within(at, from));
      return { file, line: Math.max(1, line), column: Math.max(1, column), code, message, ...more };
    },
    line: (at) => Math.max(1, lines.linePos(offsetOf(at)).line),
  };
};

const valueAt = (written: unknown, at: Path): unknown =>
  at.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    written,
  );

const faultsOf = (issue: z.core.$ZodIssue, base: Path, written: unknown, positions: Positions): Fault[] => {
  const at = [...base, ...issue.path];
  const value = valueAt(written, at);
  if (issue.code === 'invalid_union') return unionFaults(issue, at, value, written, positions);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) =>
      positions.fault([...at, name], 'unknown-key', `${name} is not known here`, { ...didYouMean(name, keysAt(at, value)), key: true }),
    );
  }
  if (issue.code === 'invalid_key') {
    const [inner] = issue.issues;
    return [positions.fault(at, 'bad-name', `${String(at.at(-1))} ${inner?.message ?? 'cannot be used'}`, { key: true })];
  }
  if (issue.code === 'invalid_value') {
    const known = issue.values.map(String);
    return [
      positions.fault(at, 'unknown-value', `${nameOf(at, value)} must be one of ${known.join(', ')}`, {
        ...(typeof value === 'string' && didYouMean(value, known)),
      }),
    ];
  }
  const example = value === undefined || issue.code !== 'invalid_type' ? undefined : howWritten(at);
  if (example !== undefined) return [positions.fault(at, 'wrong-value', example)];
  const code = value === undefined ? 'missing' : 'wrong-value';
  return [positions.fault(at, code, `${String(at.at(-1) ?? 'the file')} ${issue.message}`)];
};

/** How to write the keys that take a list or a record. */
const examples: Readonly<Record<string, string>> = {
  says: '{ en: [pay my bill] }',
  needs: '{ amount: number, day: date? }',
  gives: '{ paid: money }',
  choices: '[{ value: green, title: { en: Green } }, { value: night, title: { en: Night } }]',
  parts: '{ stopped: [{ end: cancelled }] }',
  set: '{ tries: 3 }',
  with: '{ amount: 12 }',
  variables: '{ amount: 12 }',
};

/** The right way to write a value with parts; `undefined` if no example helps. */
const howWritten = (at: Path): string | undefined => {
  const [owner, name] = [String(at.at(-2)), String(at.at(-1))];
  if (owner === 'choices' && at.length > 2) return 'a choice is written { value: green, title: { en: Green } }';
  if (owner === 'says' && at.length === 2) return `${name} is written as a list: [pay my bill]`;
  return Object.hasOwn(examples, name) ? `${name} is written ${examples[name]}` : undefined;
};

const nameOf = (at: Path, value: unknown) => (typeof value === 'string' ? value : String(at.at(-1)));

/** The keys that are allowed where an unknown one was written. */
const keysAt = (at: Path, value: unknown): string[] => {
  if (at.length === 0) return Object.keys(flowSchema.shape);
  if (at.at(-1) === 'on') return ['success', 'failure', 'timeout', 'cancelled', 'else'];
  const verb = verbOf(value as object);
  if (verb) return Object.keys(stepShapes[verb].shape);
  return ['by', 'fresh', 'product', 'document', 'variables', 'form', 'reason', 'retry', 'then', 'value', 'title'];
};

/** If something can be written in several ways, the faults are those of the way that was begun. */
const unionFaults = (
  issue: Extract<z.core.$ZodIssue, { code: 'invalid_union' }>,
  at: Path,
  value: unknown,
  written: unknown,
  positions: Positions,
): Fault[] => {
  if (value === undefined) return [positions.fault(at, 'missing', `${String(at.at(-1) ?? 'the file')} is required`)];
  const options = issue.errors;
  const judged = (index: number) => (options[index] ?? []).flatMap((inner) => faultsOf(inner, at, written, positions));
  if (options.length === verbs.length) {
    if (typeof value !== 'object' || value === null)
      return [positions.fault(at, 'no-step', 'a step must say what it does, such as say: Hello')];
    const verb = verbOf(value);
    if (verb) return judged(verbs.indexOf(verb));
    const [first = ''] = Object.keys(value);
    return [positions.fault([...at, first], 'unknown-step', `${first} is no step`, { ...didYouMean(first, verbs), key: true })];
  }
  const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  // The way of the right type has other faults than that of a wrong type.
  const fitting = options.findIndex((inner) => inner.some(({ code, path }) => code !== 'invalid_type' || path.length > 0));
  if (fitting >= 0) return judged(fitting);
  return [
    positions.fault(
      at,
      'wrong-value',
      `${String(at.at(-1) ?? 'it')} cannot be ${value === null ? 'empty' : Array.isArray(value) ? 'a list' : `a ${kind}`} here`,
    ),
  ];
};
