// Bundles programs and libraries: their own code and what they need of others, in files that need no install.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { inAscii } from './ascii.ts';
import { licencesOf } from './licences.ts';
import { compiledForNode } from './sdk.ts';

export interface Bundle {
  /** Source files by the name of what is made of them. */
  readonly entries: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Packages that are not put inside, with all that they hold. */
  readonly external: readonly string[];
  readonly plugins?: readonly Plugin[];
}

/** What libraries look for and do without. */
const optional = ['dtrace-provider', 'pg-native'];

/** Libraries of the older kind of module expect these. */
const banner = `import { createRequire as __createRequire } from 'node:module';
import { dirname as __dirnameOf } from 'node:path';
import { fileURLToPath as __pathOf } from 'node:url';
const require = __createRequire(import.meta.url), __filename = __pathOf(import.meta.url), __dirname = __dirnameOf(__filename);`;

/** The package that the repository has beside the connector: an install has it, or does without. */
export const serviceBeside: Plugin = {
  name: 'service-beside',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/service\/index\.ts$/ }, () => ({ path: 'countersign-service', external: true }));
  },
};

/**
 * What libraries load and nothing here uses: restify's plugins, with the forms, signatures and files that they read, are
 * two thirds of what a server would load. Only `createServer` is used (src/platform/http/http-server.ts).
 */
const unused: Plugin = {
  name: 'unused',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/restify\/lib\/plugins\/index\.js$/ }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};

/** What a program does not use of the dialogs is left out with the Bot Framework that it needs: cards come without. */
export const onlyWhatIsUsed: Plugin = {
  name: 'only-what-is-used',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^\.\// }, async ({ path, pluginData, ...from }) => {
      if (pluginData === onlyWhatIsUsed || !/[\\/]dialogs[\\/]index\.ts$/.test(from.importer)) return undefined;
      return { ...(await resolve(path, { ...from, pluginData: onlyWhatIsUsed })), sideEffects: false };
    });
  },
};

/** What scripts are before esbuild reads them. */
export const rewritten: Plugin = {
  name: 'rewritten',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const compiled = compiledForNode(path);
      const contents = inAscii(path, compiled ?? readFileSync(path, 'utf8')) ?? compiled;
      return contents === undefined ? undefined : { contents, loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

/** What all that is bundled has in common. */
export const common = {
  absWorkingDir: join(import.meta.dirname, '..'),
  bundle: true,
  platform: 'node',
  target: 'node22',
  // Its older form asks for its own parts in a way that cannot be followed.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  minifySyntax: true,
  minifyWhitespace: true,
  // An uncaught fault prints the line that threw it.
  lineLimit: 200,
  legalComments: 'none',
  sourcemap: true,
  // A trace names the file and the line; the sources themselves are in the repository.
  sourcesContent: false,
  metafile: true,
  logLevel: 'error',
} as const satisfies BuildOptions;

/** The options of what is made of sources, beside those that all have in common. */
export const ofSources = ({ external, plugins = [] }: Pick<Bundle, 'external' | 'plugins'>): BuildOptions => ({
  external: [...optional, ...external],
  plugins: [...plugins, unused, rewritten],
});

/** Writes the bundle, with its source maps; answers the licences of what is inside. */
export const bundle = async ({ entries, folder, ...options }: Bundle): Promise<ReadonlyMap<string, string>> => {
  const { metafile } = await build({
    ...common,
    ...ofSources(options),
    entryPoints: { ...entries },
    outdir: folder,
    splitting: true,
    format: 'esm',
    banner: { js: banner },
    metafile: true,
  });
  return licencesOf(Object.keys(metafile.inputs));
};

/** Writes the licences, each once. */
export const writeLicences = (folder: string, licences: ReadonlyMap<string, string>): void => {
  const parts = [...licences].sort(([one], [other]) => one.localeCompare(other)).map(([name, text]) => `${name}\n\n${text}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), parts.join(`\n${'-'.repeat(80)}\n\n`));
};
