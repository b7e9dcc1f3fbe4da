// Patterns that somebody else wrote: operators, designers of flows, owners of a catalogue. Strangers type the text that
// they are matched against. RE2 takes time in proportion to the text, whatever the pattern; JavaScript's engine may take
// for ever.
import { LRUCache } from 'lru-cache';
import { RE2JS, RE2JSException } from 're2js';

/** `matches`: whether the whole text does; `isIn`: whether a part of it does. */
type Pattern = { matches(text: string): boolean; isIn(text: string): boolean };

const compiled = new LRUCache<string, Pattern>({ max: 500 });

/**
 * Compiles a pattern in RE2's syntax (github.com/google/re2/wiki/Syntax).
 * @throws {PatternError}
 */
export const compilePattern = (source: string, { ignoreCase = false } = {}): Pattern => {
  const name = `${ignoreCase ? 'i' : ''}/${source}`;
  const known = compiled.get(name);
  if (known) return known;
  try {
    const pattern = RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    const made = { matches: (text: string) => pattern.testExact(text), isIn: (text: string) => pattern.test(text) };
    compiled.set(name, made);
    return made;
  } catch (fault) {
    if (fault instanceof RE2JSException) throw new PatternError(fault.message.replace(/^error parsing regexp: /, '').replaceAll('`', '"'));
    throw fault;
  }
};

/** Why a pattern cannot be used, in words for those who wrote it. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/**
 * A pattern of a form, which must match the whole answer. `undefined`: RE2 has no such syntax, or browsers, which check
 * answers before they are sent, have none.
 */
export const formPattern = (source: string): Pattern | undefined => {
  try {
    // Only its syntax is looked at; it never runs here.
    new RegExp(source, 'u');
    return compilePattern(source);
  } catch {
    return undefined;
  }
};

/** Why a catalogue is refused. */
export const noPattern =
  'must be a regular expression that RE2 and browsers know: without back-references, without looking ahead or behind';
