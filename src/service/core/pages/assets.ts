// The files that pages load, all from this server: our own, and the libraries that some pages need.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { HttpServer } from '../../../platform/http/http-server.ts';
import { type AssetFile, addAssets, sharedFiles, type sharedStyles, shipped } from '../../../platform/pages/assets.ts';
import { packageFolder } from '../../package-folder.ts';

/** The addresses of the files for pages. */
export type Assets = Readonly<Record<AssetName, string>>;
export type AssetName =
  | (typeof own)[number]
  | (typeof sharedStyles)[number]
  | 'adaptivecards.js'
  | 'chart.js'
  | 'jose.js'
  | 'signature_pad.js'
  | 'simplewebauthn.js'
  | 'swagger-ui.css'
  | 'swagger-ui.js';

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
const here = (name: string) => new URL(`assets/${name}`, packageFolder);
const script = 'text/javascript; charset=utf-8';
const styles = 'text/css; charset=utf-8';

// A package exposes only its entry to `resolve`; the file for browsers is beside it.
const simpleWebAuthn = () =>
  new URL('../dist/bundle/index.umd.min.js', pathToFileURL(createRequire(import.meta.url).resolve('@simplewebauthn/browser')));
const signaturePad = () => new URL('signature_pad.umd.min.js', pathToFileURL(createRequire(import.meta.url).resolve('signature_pad')));

const chart = () => new URL('chart.umd.min.js', pathToFileURL(createRequire(import.meta.url).resolve('chart.js')));
const swaggerUi = (name: string) => new URL(name, pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist')));
const adaptiveCards = () => new URL('../dist/adaptivecards.min.js', pathToFileURL(createRequire(import.meta.url).resolve('adaptivecards')));

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
  const files = own.map((name) => ({ name, file: here(name), type: name.endsWith('.css') ? styles : script }));
  const libraries = [
    { name: 'adaptivecards.js', file: shipped(here('adaptivecards.js'), adaptiveCards), type: script },
    { name: 'chart.js', file: shipped(here('chart.js'), chart), type: script },
    { name: 'simplewebauthn.js', file: shipped(here('simplewebauthn.js'), simpleWebAuthn), type: script },
    { name: 'signature_pad.js', file: signaturePad(), type: script },
    { name: 'swagger-ui.js', file: shipped(here('swagger-ui.js'), () => swaggerUi('swagger-ui-bundle.js')), type: script },
    { name: 'swagger-ui.css', file: shipped(here('swagger-ui.css'), () => swaggerUi('swagger-ui.css')), type: styles },
  ];
  joseModules ??= readJoseModules();
  const served = await addAssets(server, [...sharedFiles, ...files, ...libraries, ...joseModules]);
  return served as Assets;
};
