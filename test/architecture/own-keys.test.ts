import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type ElementAccessExpression, isElementAccessExpression, type Node, type SourceFile } from 'typescript/unstable/ast';
import { API, TypeFlags } from 'typescript/unstable/sync';
import { keysOfOurs } from './keys-of-ours.ts';

const root = resolve(import.meta.dirname, '../..');

interface Access {
  readonly file: string;
  readonly text: string;
}

/** Every place in which any string may be the key of a record, and is not first looked for among the record's own keys. */
const accesses = (files: readonly string[], tsconfig: string): Access[] => {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [tsconfig] }).getProjects();
    assert.ok(project);
    const { checker, program } = project;
    const found = files.flatMap((file) => {
      const source = program.getSourceFile(file) ?? assert.fail(file);
      return elementAccesses(source).map((access) => ({ file, source, access }));
    });
    const keys = checker.getTypeAtLocation(found.map(({ access }) => access.argumentExpression));
    const records = checker.getTypeAtLocation(found.map(({ access }) => access.expression));
    return found.flatMap(({ access, file, source }, index) => {
      const [key, record] = [keys[index], records[index]];
      if (!key || !record || !(key.flags & TypeFlags.String)) return [];
      const variants = record.isUnionType() ? record.getTypes() : [record];
      const isRecord = variants.some((one) => checker.getIndexInfosOfType(one).some(({ keyType }) => keyType.flags & TypeFlags.String));
      const guard = `Object.hasOwn(${access.expression.getText(source)}, ${access.argumentExpression.getText(source)})`;
      if (!isRecord || statementAround(access).getText(source).includes(guard)) return [];
      return [{ file: relative(root, file), text: access.getText(source) }];
    });
  } finally {
    api.close();
  }
};

const elementAccesses = (source: SourceFile): ElementAccessExpression[] => {
  const found: ElementAccessExpression[] = [];
  const visit = (node: Node): void => {
    if (isElementAccessExpression(node)) found.push(node);
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
};

/** The statement of the file that it is in. */
const statementAround = (node: Node): Node => (node.parent.parent === undefined ? node : statementAround(node.parent));

describe('keys from outside', function () {
  this.timeout(60_000);
  it('are looked for among a record’s own: a customer’s “constructor” is found nowhere by itself', () => {
    const files = globSync(['src/**/*.ts', 'dialogs/**/*.ts', 'cards/**/*.ts'], { cwd: root }).filter((file) => !file.endsWith('.d.ts'));
    const found = accesses(
      files.map((file) => resolve(root, file)),
      resolve(root, 'tsconfig.json'),
    );
    const isOurs = ({ file, text }: Access) =>
      Object.values(keysOfOurs).some((places) =>
        Object.entries(places).some(([place, texts]) => file.startsWith(place) && texts.includes(text)),
      );
    const unknown = found.filter((access) => !isOurs(access)).map(({ file, text }) => `${file}: ${text}`);
    const advice = 'use ownValue (src/platform/text/own-value.ts), or say in keys-of-ours.ts whose keys they are';
    assert.deepEqual([...new Set(unknown)], [], advice);
    assert.ok(found.some(isOurs), 'some are found at all');
  });
});
