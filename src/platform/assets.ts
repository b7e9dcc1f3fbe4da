// Scripts and styles of pages: read once, cached by browsers for good under an address that changes with the content.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { makeCached } from './cached-answer.ts';
import type { HttpServer } from './http-server.ts';

export interface AssetFile {
  /** The name in the address, `chat.js`. */
  readonly name: string;
  readonly file: URL;
  readonly type: string;
  /** The whole address, for modules that find each other by relative ones; it has to change with the content all the same. */
  readonly path?: string;
}

/** A library's file for browsers: the copy that the build put beside us, else the one in the development dependency. */
export const shipped = (copy: URL, original: () => URL): URL => (existsSync(copy) ? copy : original());

const load = async ({ name, file, type, path }: AssetFile) => {
  const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  const { hash, answer } = makeCached(await readFile(file), headers);
  const dot = name.lastIndexOf('.');
  return { name, path: path ?? `/assets/${name.slice(0, dot)}.${hash}${name.slice(dot)}`, answer };
};

/** Serves the files, each under one address only, and answers the address of each by its name. Rejects when a file cannot be read. */
export const addAssets = async <Name extends string>(
  server: HttpServer,
  files: readonly (AssetFile & { readonly name: Name })[],
): Promise<Readonly<Record<Name, string>>> => {
  const assets = await Promise.all(files.map(load));
  for (const { path, answer } of assets) server.route('GET', path, answer, { body: 'none' });
  return Object.fromEntries(assets.map(({ name, path }) => [name, path])) as Record<Name, string>;
};
