// Every import of the sources, including type imports and `import()`, as edges between files.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { type Room, rooms } from './rooms.ts';

export const root = join(import.meta.dirname, '../..');

export interface Import {
  /** The importing file, from the root of the repository. */
  readonly from: string;
  readonly line: number;
  /** The imported file, also from the root, or a package's name. */
  readonly to: string;
}

export const roomOf = (file: string): Room | undefined =>
  rooms
    .flatMap((room) => [room.folder, ...(room.also ?? [])].map((folder) => ({ folder, room })))
    .filter(({ folder }) => file === folder || file.startsWith(`${folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)
    .at(0)?.room;

/** The imports of one file. */
export const importsOf = (from: string, text: string): Import[] => {
  const found: Import[] = [];
  const note = ({ source }: { source: object | null }) => {
    // `import(variable)` cannot be resolved here.
    if (!source || !('value' in source) || typeof source.value !== 'string' || !('start' in source)) return;
    const to = source.value.startsWith('.') ? join(from, '..', source.value) : source.value;
    found.push({ from, line: text.slice(0, source.start as number).split('\n').length, to });
  };
  new Visitor({
    ImportDeclaration: note,
    ExportNamedDeclaration: note,
    ExportAllDeclaration: note,
    ImportExpression: note,
    TSImportType: note,
  }).visit(parseSync(from, text).program);
  return found;
};

/** Every import of every room. */
export const allImports = (): Import[] =>
  globSync(['src/**/*.ts', 'cards/**/*.ts', 'dialogs/**/*.ts'], { cwd: root, exclude: ['**/node_modules', '**/dist'] })
    .filter((file) => !file.endsWith('.d.ts'))
    .flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
