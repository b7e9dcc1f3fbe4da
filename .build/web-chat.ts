// Web Chat as the chat page needs it: Microsoft's own modules, without speech and without the languages that the page
// does not offer (decision 0052). The packages bring it; a clone makes it once.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { languages } from '../src/platform/text/languages.ts';

const root = join(import.meta.dirname, '..');

/** What is left out, by the ends of the modules' paths, and why. Whatever calls it gets an error with its name. */
export const leftOut = {
  'botframework-webchat/src/createCognitiveServicesSpeechServicesPonyfillFactory.ts':
    "Azure's speech SDK, the largest of all packages: the page has no microphone, as its Permissions-Policy says",
  'botframework-webchat/src/createDirectLineSpeechAdapters.ts': 'the same SDK, over a Direct Line of its own',
  'botframework-directlinejs/lib/directLineStreaming.js':
    "Direct Line of an App Service extension: the page's, ours or Azure's, is HTTP and a websocket",
} as const satisfies Readonly<Record<string, string>>;

const isLeftOut: Plugin = {
  name: 'left-out',
  setup: ({ onLoad, onEnd }) => {
    const met = new Set<string>();
    for (const module of Object.keys(leftOut))
      onLoad({ filter: new RegExp(`/node_modules/${module.replaceAll('.', '\\.')}$`) }, () => {
        met.add(module);
        const call = `function leftOut() { throw new Error(${JSON.stringify(`Web Chat is made without ${module}`)}); }`;
        return { contents: `${call} export { leftOut as default, leftOut as DirectLineStreaming };`, loader: 'js' };
      });
    onEnd(() => ({
      errors: Object.keys(leftOut)
        .filter((module) => !met.has(module))
        .map((module) => ({ text: `Web Chat has no ${module} that could be left out` })),
    }));
  },
};

const otherLanguages: Plugin = {
  name: 'other-languages',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/botframework-webchat-api\/src\/localization\/[\w-]+\.json$/ }, ({ path }) => {
      const [language = ''] = path.slice(path.lastIndexOf('/') + 1).split(/[-.]/, 1);
      return ['overrides', ...languages].includes(language) ? undefined : { contents: '{}', loader: 'json' };
    });
  },
};

/** The sources that a package of Microsoft's brings beside the modules made of them. */
const sourcesOf = (main: string) => join(main, '../../src');

/** Makes the script, which defines `window.WebChat` as Microsoft's does. Answers it and the files that are in it. */
export const bundleWebChat = async (): Promise<{ readonly script: string; readonly files: readonly string[] }> => {
  const { build } = await import('esbuild');
  const main = createRequire(import.meta.url).resolve('botframework-webchat');
  const beside = createRequire(main);
  const { version } = beside('../package.json');
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(sourcesOf(main), 'index.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    // As Microsoft's own build has it.
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.build_tool': '"esbuild"',
      'process.env.module_format': '"global"',
      'process.env.node_env': '"production"',
      'process.env.npm_package_version': JSON.stringify(version),
    },
    alias: {
      // Of the built module no language could be left out.
      'botframework-webchat-api': sourcesOf(beside.resolve('botframework-webchat-api')),
      // These two are compiled from the others when they are installed, which no install script may do here.
      'markdown-it-attrs-es5': 'markdown-it-attrs',
      'p-defer-es5': 'p-defer',
    },
    loader: { '.js': 'jsx' },
    plugins: [isLeftOut, otherLanguages],
    legalComments: 'inline',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (!file) throw new TypeError('esbuild wrote nothing');
  // What packages leave out of browsers themselves is named too.
  return { script: file.text, files: Object.keys(metafile.inputs).filter((name) => !name.startsWith('(disabled)')) };
};

/** Beside the modules that it is made of: whoever can write here decides anyway what the page runs. */
const folderForKept = join(root, 'node_modules/.cache/countersign');

/** Identifies what the script is made of: the installed packages, the languages, and the code above. */
const keyOf = (files: readonly string[]) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.update(languages.join()).digest('hex').slice(0, 16);
};

/** Writes it whole or not at all: several processes may do so at once. */
const keep = (folder: string, name: string, script: string) => {
  mkdirSync(folder, { recursive: true });
  const draft = join(mkdtempSync(join(folder, 'draft-')), name);
  writeFileSync(draft, script);
  renameSync(draft, join(folder, name));
  rmSync(join(draft, '..'), { recursive: true });
  for (const other of readdirSync(folder)) if (other.startsWith('webchat-') && other !== name) rmSync(join(folder, other), { force: true });
  return join(folder, name);
};

/** The script in a clone: made by the first start after an install, and found by the others. */
export const keptWebChat = async (folder = folderForKept): Promise<URL> => {
  const name = `webchat-${keyOf([join(root, 'package-lock.json'), import.meta.filename])}.js`;
  const kept = join(folder, name);
  if (existsSync(kept)) return pathToFileURL(kept);
  const { script } = await bundleWebChat();
  try {
    return pathToFileURL(keep(folder, name, script));
  } catch (fault) {
    // Somebody else has installed the packages, so each start makes its own.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((fault as NodeJS.ErrnoException).code ?? '')) throw fault;
    const own = mkdtempSync(join(tmpdir(), 'countersign-webchat-'));
    process.once('exit', () => rmSync(own, { recursive: true, force: true }));
    return pathToFileURL(keep(own, name, script));
  }
};
