// What few bots use of the libraries that the Bot Framework SDK brings, in a file of its own, loaded when it is used:
// the ways to Azure's credentials and the SDK's own HTTP clients are a third of what a bot would load.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { common, rewritten } from './bundle.ts';
import { licencesOf } from './licences.ts';

/** Each is used inside functions only, by `name_1.member`, as TypeScript writes it. */
export const lateLibraries: readonly string[] = [
  '@azure/core-auth',
  '@azure/core-client',
  '@azure/core-http-compat',
  '@azure/core-rest-pipeline',
  '@azure/identity',
  '@azure/msal-node',
  'axios',
  'cross-fetch',
  'fs-extra',
  'htmlparser2',
  'https-proxy-agent',
  'jsonwebtoken',
  'node-fetch',
];
const file = './late.cjs';
const sdk = /\/node_modules\/bot(?:builder|framework)(?:-\w+)?\/lib\//;

/** In place of a library: it is loaded when a member is read. */
const standIn = (name: string) => `let real;
const load = () => (real ??= require('${file}')[${JSON.stringify(name)}]);
module.exports = new Proxy({}, { get: (_, member) => member === '__esModule' || load()[member] });`;

/**
 * The one that is called while modules are loaded, for what its operations are described by. What it makes is made once
 * that is used.
 */
const serializer = `let real;
const load = () => (real ??= require('${file}')['@azure/core-client']);
const createSerializer = (...args) => {
  let made;
  return new Proxy({}, { get: (_, member) => (made ??= load().createSerializer(...args))[member] });
};
module.exports = new Proxy({ createSerializer }, { get: (own, member) => member === '__esModule' || (own[member] ?? load()[member]) });`;

/** Puts the stand-ins where the SDK asks for the libraries. */
export const late: Plugin = {
  name: 'late',
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^@azure|^\w[\w-]+$/ }, ({ path, importer }) =>
      lateLibraries.includes(path) && sdk.test(importer) ? { path, namespace: 'late' } : undefined,
    );
    onResolve({ filter: /^\.\/late\.cjs$/, namespace: 'late' }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      contents: path === '@azure/core-client' ? serializer : standIn(path),
      loader: 'js',
    }));
  },
};

/** Writes the file of the libraries; answers the licences of what is inside. */
export const bundleLate = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const members = lateLibraries.map((name) => `get ${JSON.stringify(name)}() { return require(${JSON.stringify(name)}); }`);
  const { metafile } = await build({
    ...common,
    stdin: {
      contents: `module.exports = { ${members.join(', ')} };`,
      // As the SDK sees them.
      resolveDir: createRequire(import.meta.url)
        .resolve('botframework-connector/package.json')
        .replace(/package\.json$/, 'lib'),
    },
    outfile: join(folder, file),
    format: 'cjs',
    plugins: [rewritten],
  });
  return licencesOf(Object.keys(metafile.inputs));
};
