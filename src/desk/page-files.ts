// The files that the desk's pages load: our own, and those of libraries.

import type { HttpServer } from '../platform/http/http-server.ts';
import { addAssets, shipped } from '../platform/pages/assets.ts';
import { entries, fileOf, modules, styles } from './pages/page.ts';

const here = (name: string) => new URL(`assets/${name}`, import.meta.url);
/** A library's file for browsers; the build copies it. */
const library = (copy: string, name: string) => shipped(here(copy), () => new URL(import.meta.resolve(name)));

const libraries: Readonly<Record<string, () => URL>> = {
  // A package exposes only its entry; the file for browsers is beside it.
  'chart.js': () => shipped(here('chart.js'), () => new URL('chart.umd.min.js', import.meta.resolve('chart.js'))),
  'htm.js': () => library('htm.js', 'htm'),
  'preact.js': () => library('preact.js', 'preact'),
  'preact-hooks.js': () => library('preact-hooks.js', 'preact/hooks'),
  // The chat's colours, so that both sides look alike.
  'desk-colours.css': () => shipped(here('colours.css'), () => new URL('../web/assets/colours.css', import.meta.url)),
};

/** Adds the files to the server. Rejects if one is missing. */
export const addDeskAssets = (http: HttpServer) => {
  const script = 'text/javascript; charset=utf-8';
  const css = 'text/css; charset=utf-8';
  const files = [
    ...styles.map((name) => ({ name, type: css })),
    ...[...modules.map(fileOf), ...entries].map((name) => ({ name, type: script })),
  ];
  return addAssets(
    http,
    files.map((file) => ({ ...file, name: file.name as string, file: (libraries[file.name] ?? (() => here(file.name)))() })),
  );
};
