// The files that pages load: our own, and the libraries that some of them need, all from this server.
import { addAssets } from '../../platform/assets.ts';
import type { HttpServer } from '../../platform/http-server.ts';

/** Where a page finds its files. */
export type Assets = Readonly<Record<AssetName, string>>;
export type AssetName = (typeof own)[number];

const own = ['device.js', 'outbox.js', 'service.css'] as const;
const here = (name: string) => new URL(`../assets/${name}`, import.meta.url);
const script = 'text/javascript; charset=utf-8';

/** Serves the files and tells their addresses. Rejects when one cannot be read. */
export const addServiceAssets = async (server: HttpServer): Promise<Assets> => {
  const files = own.map((name) => ({ name, file: here(name), type: name.endsWith('.css') ? 'text/css; charset=utf-8' : script }));
  return addAssets(server, files);
};
