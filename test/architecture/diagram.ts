// The diagram and the table of the rooms, drawn from the actual imports. `npm run diagram` writes them into
// docs/architecture.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allImports, type Import, roomOf, root } from './imports.ts';
import { rooms } from './rooms.ts';

const marks = /(?<=<!-- rooms: drawn by `npm run diagram` -->\n)[\s\S]*?(?=<!-- end of rooms -->)/;

/** The part of a document between the marks. */
export const shown = (document: string): string | undefined => marks.exec(document)?.[0];

export const drawn = (imports: readonly Import[]): string => {
  const arrows = new Set(imports.map(({ from, to }) => `${roomOf(from)?.name} --> ${roomOf(to)?.name}`));
  // From the top down, as people read. Platform is left out: every room uses it.
  const names = rooms.map(({ name }) => name).toReversed();
  const between = names.flatMap((from) => names.filter((to) => to !== from && to !== 'platform').map((to) => `${from} --> ${to}`));
  return [
    '',
    '```mermaid',
    'flowchart TD',
    ...between
      .filter((arrow) => arrows.has(arrow))
      .map((arrow) => `  ${arrow.replace(/service (\w[\w-]*)/g, (name, own: string) => `${own.replaceAll('-', '')}[${name}]`)}`),
    '```',
    '',
    '| room | where | holds | may import |',
    '| --- | --- | --- | --- |',
    ...rooms.map(
      ({ name, folder, holds, mayImport }) => `| ${name} | \`${folder}\` | ${holds} | ${[mayImport].flat().join(', ') || 'nothing'} |`,
    ),
    '',
    '',
  ].join('\n');
};

if (import.meta.main) {
  const file = join(root, 'docs/architecture.md');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(marks, () => drawn(allImports())),
  );
}
