// The documents of the repository, as what can be checked of them: fences, links, tables, sections.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface Document {
  /** From the root of the repository. */
  readonly file: string;
  readonly text: string;
}

export const read = (file: string): Document => ({ file, text: readFileSync(join(root, file), 'utf8') });

/** Every document but the records of decisions, which show no code. */
export const manuals: readonly Document[] = globSync('{*.md,docs/*.md,src/*/README.md}', { cwd: root }).sort().map(read);

export const decisions: readonly Document[] = globSync('docs/decisions/*.md', { cwd: root }).sort().map(read);

/** The names of headings, as GitHub makes anchors of them. */
export const anchorsOf = ({ text }: Document): string[] =>
  [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(({ 1: heading = '' }) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

export const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '');

export interface Fence {
  readonly file: string;
  /** The heading it stands under. */
  readonly heading: string;
  /** The language and, after it, how it is tried: `sh start`. */
  readonly way: string;
  readonly code: string;
}

export const fencesOf = ({ file, text }: Document): Fence[] =>
  [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: way = '', 2: code = '', index }) => ({
    file,
    way,
    code,
    heading: [...text.slice(0, index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
  }));

export interface Link {
  readonly words: string;
  /** From the root of the repository. */
  readonly to: string;
  readonly anchor: string | undefined;
}

/** The links to other files and headings of the repository. */
export const linksOf = ({ file, text }: Document): Link[] =>
  [...withoutFences(text).matchAll(/\[([^[\]]+)\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ({ 1: words = '', 2: to = '', 3: anchor }) => ({
      words: words.replace(/\s+/g, ' '),
      to: to ? join(file, '..', to) : file,
      anchor,
    }),
  );

/** The names in the first column of the table below the heading *Settings*. */
export const settingsIn = ({ text }: Document): string[] =>
  [...(text.split('\n## Settings')[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (.+?) \|/gm)].flatMap(({ 1: cell = '' }) =>
    [...cell.matchAll(/`([A-Za-z_]+)`/g)].map(({ 1: name }) => name as string),
  );
