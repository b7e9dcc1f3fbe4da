// Expressions in CEL (github.com/google/cel-spec), and texts with expressions: parsing, checking and evaluating them.
import { Environment, type ParseError, type ParseResult, type TypeCheckResult } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import { constantsIn, DialectFault, inDialect, withDialect } from './cel.ts';
import type { ValueType } from './schema.ts';

/** The type of a name's value. */
export type Kind = { readonly type: ValueType } | { readonly type: 'record'; readonly fields: Readonly<Record<string, ValueType>> };

/** What is known at a place in a flow, by name. */
export type Scope = ReadonlyMap<string, Kind>;

const celTypes = {
  text: 'string',
  date: 'string',
  email: 'string',
  phone: 'string',
  number: 'double',
  money: 'double',
  'yes-no': 'bool',
} as const satisfies Record<ValueType, string>;

/** Small limits: people read the expressions, and customers wait for them. */
const limits = { maxAstNodes: 200, maxDepth: 20, maxListElements: 50, maxMapEntries: 50, maxCallArguments: 8 };

const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y;
const testing = /("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|\bhas\(([a-z]\w*)\)/g;

/** Replaces `has(name)`, since CEL's own works on fields only, by a name of the same length that nobody can write. */
const withTests = (source: string): string => source.replace(testing, (all, text, name) => (text === undefined ? `HAS_${name} ` : all));

/** The names that an expression tests with `has`. */
const testedIn = (source: string): string[] => [...source.matchAll(testing)].flatMap(([, , name]) => name ?? []);

/** The names that exist where a condition is true that begins with tests: `has(a) && has(b) && …`. */
export const sureIn = (condition: string): string[] => {
  const [, name, rest] = /^\s*has\(([a-z]\w*)\)\s*(?:$|&&(?!.*(?:\|\||\?))(.*))$/s.exec(condition) ?? [];
  return name === undefined ? [] : [name, ...sureIn(rest ?? '')];
};

const environmentOf = (scope: Scope): Environment => {
  const environment = withDialect(new Environment({ limits }));
  for (const [name, kind] of scope) {
    if (kind.type === 'record') {
      const schema = Object.fromEntries(Object.entries(kind.fields).map(([field, type]) => [field, celTypes[type]]));
      environment.registerVariable({ name, schema: schema as never });
    } else environment.registerVariable(name, celTypes[kind.type]);
  }
  return environment;
};

export type Checked =
  | { readonly kind: Kind }
  /** `from`: the offset in the expression. `unknown`: the name that does not exist, and `of` what. */
  | { readonly wrong: string; readonly from: number; readonly unknown?: string; readonly hint?: string };

/** An expression that is a name, or a field of one. */
export const path = /^\s*([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?\s*$/;

const checkedBy = (environment: Environment, source: string): TypeCheckResult => {
  let expression: ParseResult;
  try {
    expression = environment.parse(source);
  } catch (fault) {
    return { valid: false, error: fault as ParseError };
  }
  const constants = constantsIn(expression);
  const result = inDialect(expression).check();
  for (const { written, from } of result.valid ? constants : [])
    try {
      evaluate(written, {});
    } catch (fault) {
      throw new DialectFault(`${written} can never be worked out`, (fault as ExpressionFault).reason, from);
    }
  return result;
};

/** The type of an expression, or why it is wrong. */
export const checkExpression = (source: string, scope: Scope, names: ReadonlySet<string> = new Set()): Checked => {
  const [, name = '', field] = path.exec(source) ?? [];
  const named = scope.get(name);
  const exact: Kind | undefined =
    named?.type === 'record'
      ? field !== undefined && Object.hasOwn(named.fields, field)
        ? { type: named.fields[field] as ValueType }
        : undefined
      : field === undefined
        ? named
        : undefined;
  if (exact) return { kind: exact };
  let result: TypeCheckResult;
  try {
    const environment = environmentOf(scope);
    for (const tested of new Set(testedIn(source))) if (names.has(tested)) environment.registerVariable(`HAS_${tested}`, 'bool');
    result = checkedBy(environment, withTests(source));
  } catch (fault) {
    if (fault instanceof DialectFault) return { wrong: fault.message, from: fault.from, hint: fault.hint };
    return { wrong: (fault as Error).message.split('\n')[0] ?? 'cannot be read', from: 0 };
  }
  if (!result.valid) {
    const { summary, range } = (result.error ?? {}) as { summary?: string; range?: { start: number } };
    const wrong = summary ?? 'cannot be read';
    const unknown = /^(?:Unknown variable|No such key): (?:HAS_)?(\w+)/.exec(wrong)?.[1];
    return { wrong, from: range?.start ?? 0, ...(unknown !== undefined && { unknown }) };
  }
  const type = String(result.type);
  if (type === 'bool') return { kind: { type: 'yes-no' } };
  if (type === 'double' || type === 'int' || type === 'uint') return { kind: { type: 'number' } };
  if (type === 'string') return { kind: { type: 'text' } };
  return {
    wrong: `comes to ${named?.type === 'record' ? `several values: name one, such as ${name}.status` : `a ${type}`}, which cannot be used`,
    from: 0,
  };
};

/** A value as it is stored: plain JSON. */
export type Value = string | number | boolean | { readonly [field: string]: string | number | boolean };
export type FlowValues = Readonly<Record<string, Value>>;

const running = withDialect(new Environment({ unlistedVariablesAreDyn: true, homogeneousAggregateLiterals: false, limits }));
const parsed = new LRUCache<string, (values: FlowValues) => unknown>({ max: 500 });

/** A fault that no check can foresee, such as an integer division by 0. */
export class ExpressionFault extends Error {
  override readonly name = 'ExpressionFault';
  readonly code = 'expression';
  readonly expression: string;
  /** For the flow's author. It may quote what a customer has said, so it is never logged. */
  readonly reason: string;
  constructor(expression: string, cause: unknown) {
    super('an expression could not be worked out', { cause });
    this.expression = expression;
    this.reason = (cause as Error).message.split('\n', 1)[0] ?? '';
  }
}

/** Evaluates a checked expression. @throws {ExpressionFault} */
export const evaluate = (source: string, values: FlowValues): string | number | boolean => {
  const value = work(source, values);
  return typeof value === 'bigint' ? Number(value) : (value as string | number | boolean);
};

const work = (source: string, values: FlowValues): unknown => {
  try {
    const run = parsed.get(source) ?? (inDialect(running.parse(withTests(source))) as unknown as (values: FlowValues) => unknown);
    parsed.set(source, run);
    const value = run({ ...values, ...Object.fromEntries(testedIn(source).map((name) => [`HAS_${name}`, values[name] !== undefined])) });
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('division by zero');
    return value;
  } catch (cause) {
    throw new ExpressionFault(source.trim(), cause);
  }
};

export type TextPart = { readonly text: string } | { readonly expression: string; readonly from: number };

/** A text, split at each `${…}`; `undefined` if one is not closed. */
export const partsOf = (text: string): readonly TextPart[] | undefined => {
  const parts: TextPart[] = [];
  let from = 0;
  for (let start = text.indexOf('${'); start >= 0; start = text.indexOf('${', from)) {
    let end = start + 2;
    while (end < text.length && text[end] !== '}') {
      quoted.lastIndex = end;
      const string = quoted.exec(text);
      end += string ? string[0].length : 1;
    }
    if (end >= text.length) return undefined;
    if (start > from) parts.push({ text: text.slice(from, start) });
    parts.push({ expression: text.slice(start + 2, end), from: start + 2 });
    from = end + 1;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
};

/** Evaluates a value that may contain `${…}`. If it is a single expression, the result keeps its type. */
export const worth = (written: string | number | boolean, values: FlowValues): string | number | boolean => {
  if (typeof written !== 'string') return written;
  const parts = partsOf(written) ?? [];
  const [only] = parts;
  if (parts.length === 1 && only && 'expression' in only) return evaluate(only.expression, values);
  return parts.map((part) => ('text' in part ? part.text : String(evaluate(part.expression, values)))).join('');
};
