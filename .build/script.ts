// What a start runs, in one script: V8 can be asked for all that it compiled of a script, and of a module only for what
// it compiled while it read it (decision 0150).
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { type Bundle, common, ofSources } from './bundle.ts';
import { licencesOf } from './licences.ts';

export interface Script extends Pick<Bundle, 'external' | 'folder' | 'plugins'> {
  /** The source file whose exports the script has. */
  readonly entry: string;
  /** What is made of it, without its extension. */
  readonly name: string;
}

/** A function of what a module finds around it (`runScript`), which is also what the file exports if it is required. */
const [head, foot] = [
  '(typeof module=="object"?module:{}).exports=(function(exports,require,module,__filename,__dirname,__meta){',
  'return module.exports})',
];

/** Writes the script, with its source map; answers the licences of what is inside. */
export const bundleScript = async ({ entry, name, folder, ...options }: Script): Promise<ReadonlyMap<string, string>> => {
  const { metafile } = await build({
    ...common,
    ...ofSources(options),
    entryPoints: { [name]: entry },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // A script cannot import: it requires, which loads modules of either kind.
    supported: { 'dynamic-import': false },
    define: Object.fromEntries(['url', 'resolve', 'dirname'].map((member) => [`import.meta.${member}`, `__meta.${member}`])),
    banner: { js: head },
    footer: { js: foot },
    metafile: true,
  });
  return licencesOf(Object.keys(metafile.inputs));
};

/** The names that a source file exports. */
const exportsOf = async (entry: string): Promise<readonly string[]> => {
  const { absWorkingDir } = common;
  const { metafile } = await build({ absWorkingDir, entryPoints: [entry], format: 'esm', outdir: '.', write: false, metafile: true });
  return Object.values(metafile.outputs).flatMap((output) => output.exports);
};

/** Puts the script where modules of a bundle ask for its source file. */
export const asScript = ({ entry, name }: Pick<Script, 'entry' | 'name'>): Plugin => ({
  name: 'as-script',
  setup: ({ onLoad }) => {
    const path = join(common.absWorkingDir, entry);
    onLoad({ filter: /\.ts$/ }, async (asked) => {
      if (asked.path !== path) return undefined;
      const contents = `import { runScript } from ${JSON.stringify(join(import.meta.dirname, 'run-script.ts'))};
export const { ${(await exportsOf(entry)).join(', ')} } = runScript(import.meta, './${name}.cjs');`;
      return { contents, loader: 'js' };
    });
  },
});
