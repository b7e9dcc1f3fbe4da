// The bot's process in one file. Hundreds of them are started and killed, and most of what a start costs is finding and
// reading its modules.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { rewritten, serviceBeside } from '../../.build/bundle.ts';
import { isFirst, runVariable } from '../support/packed.ts';
import { until } from '../support/until.ts';

const script = new URL('bot-process.ts', import.meta.url);

/** What is loaded only where it is used, and not here. */
const external = ['dtrace-provider', 'pg-native', 'stripe', '@libpdf/core'];

/** Our own files still find what lies beside them. */
const ownPlaces: Plugin = {
  name: 'own-places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.resolve(', 'bundleResolve('),
      loader: 'ts',
    }));
  },
};

/** The bot's one file, and where Node keeps what it compiled of it: all who start it within a run share both. */
export interface Bundle {
  readonly file: string;
  readonly compiled: string;
}

const bundle = async (): Promise<Bundle> => {
  const run = process.env[runVariable];
  if (!run) throw new Error('These tests share a folder: run them with the project’s mocha configuration.');
  const folder = join(run, 'bot');
  const [file, compiled, ready] = ['bot.mjs', 'compiled', 'ready'].map((name) => join(folder, name)) as [string, string, string];
  if (await isFirst(folder)) {
    await make(file);
    await writeFile(ready, '');
  } else await until(() => existsSync(ready), 'the bot to be bundled', 180_000);
  return { file, compiled };
};

const make = (outfile: string) =>
  build({
    entryPoints: [fileURLToPath(script)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external,
    // Libraries as the packages have them.
    plugins: [ownPlaces, serviceBeside, rewritten],
    // Its older kind of module cannot be bundled.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    // What libraries of the older kind of module expect to find, under names that no module has.
    banner: {
      js: `import { createRequire as bundleRequire } from 'node:module'; import { pathToFileURL as bundleUrl } from 'node:url'; const require = bundleRequire(${JSON.stringify(script.href)}), bundleResolve = (name) => bundleUrl(require.resolve(name)).href, __filename = '', __dirname = '';`,
    },
    logLevel: 'error',
  });

let made: Promise<Bundle> | undefined;

/** Made once in a run of the tests. */
export const bundledBot = (): Promise<Bundle> => {
  made ??= bundle();
  return made;
};
