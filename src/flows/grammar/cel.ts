// CEL as flows write it: one type of number, dates as timestamps, and patterns by RE2.
import { type ASTNode, type Environment, type ParseResult, serialize } from '@marcbachmann/cel-js';
import { compilePattern, PatternError } from '../../platform/text/pattern.ts';

/** What functions of CEL are called once they are read, so that ours run and not the library's. */
const ours: Readonly<Record<string, string>> = { matches: 'matchesByRe2', timestamp: 'timestampOfText' };

const instantOf = (text: string): Date => {
  const at = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new Error('timestamp() takes a date, such as 2026-12-05, or 2026-12-05T10:00:00Z');
};

/** CEL separates integers from other numbers, and its timestamps take no dates. Designers do not. */
export const withDialect = (environment: Environment): Environment => {
  const ways: Readonly<Record<string, (a: number, b: number) => number | boolean>> = {
    ...{ '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, '%': (a, b) => a % b },
    '==': (a, b) => a === b,
  };
  for (const [sign, work] of Object.entries(ways)) {
    const both = (a: number | bigint, b: number | bigint) => work(Number(a), Number(b));
    // The library derives != and the other order of == from this one.
    if (sign === '==') environment.registerOperator('double == int: bool', both);
    else for (const types of [`double ${sign} int`, `int ${sign} double`]) environment.registerOperator(`${types}: double`, both);
  }
  return environment
    .registerOperator('double % double: double', (a: number, b: number) => a % b)
    .registerOperator('int in list<double>: bool', (one: bigint, list: Iterable<number>) => [...list].includes(Number(one)))
    .registerFunction(`${ours.timestamp}(string): google.protobuf.Timestamp`, instantOf)
    .registerFunction(`string.${ours.matches}(string): bool`, (text: string, pattern: string) => compilePattern(pattern).isIn(text));
};

const isNode = (part: unknown): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part && 'args' in part;

const nodesIn = (part: unknown): ASTNode[] =>
  Array.isArray(part) ? part.flatMap(nodesIn) : isNode(part) ? [part, ...nodesIn(part.args)] : [];

/** Written numbers are like answers, so that `[1, 2.5]` is a list, and `7 / 2` more than 3. Functions and indexes take integers. */
const withPlainNumbers = (part: unknown): void => {
  if (Array.isArray(part)) for (const one of part) withPlainNumbers(one);
  if (!isNode(part)) return;
  if (part.op === 'value') (part as { args: unknown }).args = typeof part.args === 'bigint' ? Number(part.args) : part.args;
  else if (part.op === 'call') withPlainNumbers((part.args[1] as ASTNode[]).filter(({ op }) => op !== 'value'));
  else withPlainNumbers(part.op === 'rcall' ? part.args[1] : part.op === '[]' ? part.args[0] : part.args);
};

/** A part of an expression that can never be worked out, at its place. */
export class DialectFault extends Error {
  override readonly name = 'DialectFault';
  readonly from: number;
  readonly hint: string;
  constructor(message: string, hint: string, from: number) {
    super(message);
    this.from = from;
    this.hint = hint;
  }
}

const checkPattern = (pattern: ASTNode): void => {
  if (pattern.op !== 'value' || typeof pattern.args !== 'string')
    throw new DialectFault(
      'the pattern of matches must be written out in quotes',
      'write it in its place, such as answer.matches("^[0-9]+$")',
      pattern.start,
    );
  try {
    compilePattern(pattern.args);
  } catch (fault) {
    if (!(fault instanceof PatternError)) throw fault;
    throw new DialectFault(
      `“${pattern.args}” is not a pattern: ${fault.message}`,
      'patterns are those of RE2: close every bracket; there are no back-references, no looking ahead or behind',
      pattern.start,
    );
  }
};

/**
 * An expression in this dialect.
 * @throws {DialectFault} where a pattern is not written out, or cannot be compiled.
 */
export const inDialect = (expression: ParseResult): ParseResult => {
  withPlainNumbers(expression.ast);
  for (const node of nodesIn(expression.ast)) {
    if (node.op === 'call' && node.args[0] === 'timestamp') node.args[0] = ours.timestamp as string;
    if (node.op !== 'rcall' || !(node.args[0] === 'matches' || node.args[0] === ours.matches) || node.args[2].length !== 1) continue;
    checkPattern(node.args[2][0] as ASTNode);
    node.args[0] = ours.matches as string;
  }
  return expression;
};

/** The parts without names, which come to the same for everybody. */
export const constantsIn = ({ ast }: ParseResult): { readonly written: string; readonly from: number }[] =>
  nodesIn(ast).flatMap((node) =>
    node.op === 'value' || nodesIn(node).some(({ op }) => op === 'id') ? [] : [{ written: serialize(node), from: node.start }],
  );
