// The bot's process in one file. Hundreds of them are started and killed, and most of what a start costs is finding and reading its modules.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { runVariable } from '../support/packed.ts';

const script = new URL('bot-process.ts', import.meta.url);

/** What is loaded only where it is used, and not here. */
const external = ['dtrace-provider', 'pg-native', 'stripe', '@libpdf/core'];

/** Our own files still find what lies beside them. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
      loader: 'ts',
    }));
  },
};

const bundle = async (): Promise<string> => {
  const folder = process.env[runVariable];
  if (!folder) throw new Error('These tests share a folder: run them with the project’s mocha configuration.');
  const outfile = join(folder, `bot-${process.pid}.mjs`);
  await build({
    entryPoints: [fileURLToPath(script)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external,
    plugins: [ownPlaces],
    // What libraries of the older kind of module expect to find, under names that no module has.
    banner: {
      js: `import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(${JSON.stringify(script.href)}), __filename = '', __dirname = '';`,
    },
    logLevel: 'error',
  });
  return outfile;
};

let made: Promise<string> | undefined;

/** Where it lies; made once by a process of the tests. */
export const bundledBot = (): Promise<string> => (made ??= bundle());
