// The Bot Framework's asynchronous functions as the language has them: it is published for engines without them, each
// function as a generator that a helper steps through (docs/decisions/0155).
import { parseSync, Visitor } from 'oxc-parser';

const helper = '__awaiter';
const native = `var ${helper} = function (self, given, P, run) { return run.apply(self, given || []); };`;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * A script of TypeScript's making with `async` and `await` instead of generators; `undefined` if it needs no change.
 * @throws for a script with generators of its own, whose `yield` means something else.
 */
export const withNativeAwait = (file: string, script: string): string | undefined => {
  if (!script.includes(`var ${helper} = `)) return undefined;
  const edits: Edit[] = [];
  /** Beginnings of the generators that the helper runs. */
  const run = new Set<number>();
  new Visitor({
    VariableDeclaration: ({ start, end, declarations: [first] }) => {
      if (first?.id.type === 'Identifier' && first.id.name === helper) edits.push({ start, end, text: native });
    },
    CallExpression: ({ callee, arguments: given }) => {
      const last = given.at(-1);
      if (callee.type === 'Identifier' && callee.name === helper && last?.type === 'FunctionExpression') run.add(last.start);
    },
    FunctionExpression: ({ start, generator }) => {
      if (!generator) return;
      if (!run.has(start)) throw new Error(`${file} has a generator of its own.`);
      edits.push({ start, end: script.indexOf('*', start) + 1, text: 'async function' });
    },
    FunctionDeclaration: ({ generator }) => {
      if (generator) throw new Error(`${file} has a generator of its own.`);
    },
    YieldExpression: ({ start, delegate }) => {
      if (delegate) throw new Error(`${file} delegates to a generator.`);
      edits.push({ start, end: start + 'yield'.length, text: 'await' });
    },
  }).visit(parseSync(file, script).program);
  return edits
    .sort((one, other) => other.start - one.start)
    .reduce((text, { start, end, text: now }) => text.slice(0, start) + now + text.slice(end), script);
};

/** The Bot Framework's own files. */
export const botFramework = /[\\/]node_modules[\\/]bot(?:builder|framework)[^\\/]*[\\/].*\.js$/;
