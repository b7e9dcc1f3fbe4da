// The files that the desk's pages load: our own, and those of libraries.

import type { HttpServer } from '../platform/http/http-server.ts';
import { addAssets, sharedFiles, shipped } from '../platform/pages/assets.ts';
import { conversationModules, entries, fileOf, modules, styles } from './pages/page.ts';

const here = (name: string) => new URL(`assets/${name}`, import.meta.url);
/** A library's file for browsers; the build copies it. */
const library = (copy: string, name: string) => shipped(here(copy), () => new URL(import.meta.resolve(name)));

const libraries: Readonly<Record<string, () => URL>> = {
  // A package exposes only its entry; the file for browsers is beside it.
  'chart.js': () => shipped(here('chart.js'), () => new URL('chart.umd.min.js', import.meta.resolve('chart.js'))),
  'htm.js': () => library('htm.js', 'htm'),
  'preact.js': () => library('preact.js', 'preact'),
  'preact-hooks.js': () => library('preact-hooks.js', 'preact/hooks'),
};

/** Adds the files to the server. Rejects if one is missing. */
export const addDeskAssets = (http: HttpServer) => {
  const own = [
    ...styles.map((name) => ({ name, path: `styles/${name}` })),
    ...entries.map((name) => ({ name, path: `entries/${name}` })),
    ...conversationModules.map((name) => ({ name: fileOf(name), path: `conversation/${fileOf(name)}` })),
    ...modules.map((name) => ({ name: fileOf(name), path: fileOf(name) })),
  ];
  return addAssets(http, [
    ...sharedFiles,
    ...own.map(({ name, path }) => ({ name: name as string, file: (libraries[name] ?? (() => here(path)))() })),
  ]);
};
