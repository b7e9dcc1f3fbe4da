// JSON files that operators write: read once at start, with mistakes reported by line.
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

export type JsonFile = ReturnType<typeof readJson>;

/** Makes words of the parser's names of mistakes: `PropertyNameExpected`. */
const inWords = (code: string) => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Keys that occur twice in the same object: JSON.parse silently takes the last. */
const repeated = (node: Node): readonly Node[] => {
  const children = node.children ?? [];
  if (node.type !== 'object') return children.flatMap(repeated);
  const keys = children.flatMap(({ children: [key] = [] }) => (key ? [key] : []));
  const twice = keys.filter((key, index) => keys.findIndex(({ value }) => value === key.value) < index);
  return [...twice, ...children.flatMap(repeated)];
};

/** Reads JSON strictly: no comments, no trailing commas. Faults come with their lines, counted from 1. */
export const readJson = (text: string) => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const broken = errors.map(({ error, offset }) => ({
    line: lineAt(offset),
    message: `is no JSON here (${inWords(printParseErrorCode(error))})`,
  }));
  const twice = root ? repeated(root).map(({ offset, value }) => ({ line: lineAt(offset), message: `has ${value} a second time` })) : [];
  return {
    value: root && (getNodeValue(root) as unknown),
    faults: broken.length > 0 ? broken.slice(0, 1) : twice,
    /** The line of the value at a path, or of its nearest ancestor. */
    lineOf: (path: readonly (string | number)[]): number => {
      for (let length = path.length; root && length >= 0; length -= 1) {
        const node = findNodeAtLocation(root, path.slice(0, length));
        if (node) return lineAt((node.parent?.type === 'property' ? node.parent : node).offset);
      }
      return 1;
    },
  };
};
