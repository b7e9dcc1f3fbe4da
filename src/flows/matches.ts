// CEL's `matches` by RE2, as its specification says. The library's own runs JavaScript's engine on what customers type.
import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { compilePattern, PatternError } from '../platform/pattern.ts';

/** What `matches` is called once it is read, so that the library's own is never run. */
const byRe2 = 'matchesByRe2';

export const withMatches = (environment: Environment): Environment =>
  environment.registerFunction(`string.${byRe2}(string): bool`, (text: string, pattern: string) => compilePattern(pattern).isIn(text));

const isNode = (part: unknown): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part && 'args' in part;

const nodesIn = (part: unknown): ASTNode[] =>
  Array.isArray(part) ? part.flatMap(nodesIn) : isNode(part) ? [part, ...nodesIn(part.args)] : [];

/** A pattern that cannot be used, at its place in the expression. */
export class MatchesFault extends Error {
  override readonly name = 'MatchesFault';
  readonly from: number;
  readonly hint: string;
  constructor(message: string, hint: string, from: number) {
    super(message);
    this.from = from;
    this.hint = hint;
  }
}

/**
 * An expression whose `matches` are by RE2.
 * @throws {MatchesFault} where a pattern is not written out, or cannot be compiled.
 */
export const matchingByRe2 = (expression: ParseResult): ParseResult => {
  for (const node of nodesIn(expression.ast)) {
    if (node.op !== 'rcall' || !(node.args[0] === 'matches' || node.args[0] === byRe2) || node.args[2].length !== 1) continue;
    const [pattern] = node.args[2] as [ASTNode];
    if (pattern.op !== 'value' || typeof pattern.args !== 'string')
      throw new MatchesFault(
        'the pattern of matches must be written out in quotes',
        'write it in its place, such as answer.matches("^[0-9]+$")',
        pattern.start,
      );
    try {
      compilePattern(pattern.args);
    } catch (fault) {
      if (!(fault instanceof PatternError)) throw fault;
      throw new MatchesFault(
        `“${pattern.args}” is not a pattern: ${fault.message}`,
        'patterns are those of RE2: close every bracket; there are no back-references, no looking ahead or behind',
        pattern.start,
      );
    }
    node.args[0] = byRe2;
  }
  return expression;
};
