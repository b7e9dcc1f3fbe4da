// Patterns that answers to a form must match. RE2 takes time in proportion to the answer, whatever the pattern;
// JavaScript's engine may take for ever.
import { RE2JS } from 're2js';

/**
 * The pattern, which must match the whole answer. `undefined`: RE2 has no such syntax
 * (github.com/google/re2/wiki/Syntax), or browsers, which check answers before they are sent, have none.
 */
export const formPattern = (source: string): { matches(answer: string): boolean } | undefined => {
  try {
    new RegExp(source, 'u');
    const pattern = RE2JS.compile(source);
    return { matches: (answer) => pattern.matches(answer) };
  } catch {
    return undefined;
  }
};

/** Why a catalogue is refused. */
export const noPattern =
  'must be a regular expression that RE2 and browsers know: without back-references, without looking ahead or behind';
