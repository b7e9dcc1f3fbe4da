// The sources as a parser sees them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, parseSync } from 'oxc-parser';
import { root } from './imports.ts';

export interface SourceFile {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
  readonly program: Program;
}

export const parseSource = (file: string, text: string): SourceFile => ({ file, text, program: parseSync(file, text).program });

/** The files of the given endings in every room. */
export const allSources = (endings: string): SourceFile[] =>
  globSync(`{src,cards,dialogs}/**/*.${endings}`, { cwd: root, exclude: ['**/node_modules', '**/dist'] })
    .filter((file) => !file.endsWith('.d.ts'))
    .sort()
    .map((file) => parseSource(file, readFileSync(join(root, file), 'utf8')));

export const lineOf = ({ text }: Pick<SourceFile, 'text'>, { start }: { readonly start: number }): number =>
  text.slice(0, start).split('\n').length;
