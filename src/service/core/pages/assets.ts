// The files that pages load, all from this server: our own, and the libraries that some pages need.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { HttpServer } from '../../../platform/http/http-server.ts';
import { type AssetFile, addAssets, sharedFiles, type sharedStyles, shipped } from '../../../platform/pages/assets.ts';
import { packageFolder } from '../../package-folder.ts';

const own = [
  'console.css',
  'console.js',
  'device.js',
  'docs.css',
  'docs.js',
  'e-form.js',
  'ended.js',
  'outbox.css',
  'outbox.js',
  'passkeys.js',
  'sealed-form.js',
  'service.css',
  'signing.js',
] as const;

/** The file for browsers of a library. A package may expose only its entry to `resolve`; the file is relative to it. */
const of = (name: string, path: string) => () => new URL(path, pathToFileURL(createRequire(import.meta.url).resolve(name)));
const libraries = {
  'adaptivecards.js': of('adaptivecards', '../dist/adaptivecards.min.js'),
  'chart.js': of('chart.js', 'chart.umd.min.js'),
  'signature_pad.js': of('signature_pad', 'signature_pad.umd.min.js'),
  'simplewebauthn.js': of('@simplewebauthn/browser', '../dist/bundle/index.umd.min.js'),
  'swagger-ui.css': of('swagger-ui-dist', 'swagger-ui.css'),
  'swagger-ui.js': of('swagger-ui-dist', 'swagger-ui-bundle.js'),
} as const;

export type AssetName = (typeof own)[number] | (typeof sharedStyles)[number] | keyof typeof libraries | 'jose.js';
/** The addresses of the files for pages. */
export type Assets = Readonly<Record<AssetName, string>>;

const here = (name: string) => new URL(`assets/${name}`, packageFolder);
const script = 'text/javascript; charset=utf-8';
const typeOf = (name: string) => (name.endsWith('.css') ? 'text/css; charset=utf-8' : script);

/**
 * What of jose encrypts: in a build a single file, else its modules, at addresses that preserve their relative
 * positions, since they import each other by relative paths; `jose.js` is the address of the module that encrypts.
 */
const readJoseModules = (): readonly (AssetFile & { readonly name: string })[] => {
  const bundled = here('jose.js');
  if (existsSync(bundled)) return [{ name: 'jose.js', file: bundled, type: script }];
  const folder = new URL('.', import.meta.resolve('jose'));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.js'));
  const modules = files.map((path) => ({ path: path.replaceAll('\\', '/'), file: new URL(path.replaceAll('\\', '/'), folder) }));
  const content = createHash('sha256');
  for (const { file } of modules) content.update(readFileSync(file));
  const version = content.digest('hex').slice(0, 16);
  return modules.map(({ path, file }) => ({
    name: path === 'jwe/compact/encrypt.js' ? 'jose.js' : path,
    path: `/assets/jose.${version}/${path}`,
    file,
    type: script,
  }));
};

let joseModules: ReturnType<typeof readJoseModules> | undefined;

/** Serves the files and returns their addresses. Rejects if one cannot be read. */
export const addServiceAssets = async (server: HttpServer): Promise<Assets> => {
  const files = own.map((name) => ({ name, file: here(name), type: typeOf(name) }));
  const shippedFiles = Object.entries(libraries).map(([name, original]) => ({
    name,
    file: shipped(here(name), original),
    type: typeOf(name),
  }));
  joseModules ??= readJoseModules();
  const served = await addAssets(server, [...sharedFiles, ...files, ...shippedFiles, ...joseModules]);
  return served as Assets;
};
