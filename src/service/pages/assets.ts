// The files that pages load: our own, and the libraries that some of them need, all from this server.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { addAssets, shipped } from '../../platform/assets.ts';
import type { HttpServer } from '../../platform/http-server.ts';

/** Where a page finds its files. */
export type Assets = Readonly<Record<AssetName, string>>;
export type AssetName = (typeof own)[number] | 'simplewebauthn.js';

const own = ['device.js', 'outbox.js', 'passkeys.js', 'service.css'] as const;
const here = (name: string) => new URL(`../assets/${name}`, import.meta.url);
const script = 'text/javascript; charset=utf-8';

// A package opens only its entry to `resolve`; what browsers load lies beside it.
const simpleWebAuthn = () =>
  new URL('../dist/bundle/index.umd.min.js', pathToFileURL(createRequire(import.meta.url).resolve('@simplewebauthn/browser')));

/** Serves the files and tells their addresses. Rejects when one cannot be read. */
export const addServiceAssets = async (server: HttpServer): Promise<Assets> => {
  const files = own.map((name) => ({ name, file: here(name), type: name.endsWith('.css') ? 'text/css; charset=utf-8' : script }));
  const libraries = [{ name: 'simplewebauthn.js' as const, file: shipped(here('simplewebauthn.js'), simpleWebAuthn), type: script }];
  return addAssets(server, [...files, ...libraries]);
};
