// Libraries as the pages of forms need them: of Adaptive Cards what reads and shows a card, without carousels, tables,
// applets and their styles, and of jose what encrypts.
import { createRequire } from 'node:module';
import { type BuildOptions, build } from 'esbuild';

const forBrowsers = async (contents: string, options: BuildOptions): Promise<string> => {
  const { outputFiles = [] } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    legalComments: 'inline',
    write: false,
    logLevel: 'error',
    ...options,
  });
  const [file] = outputFiles;
  if (!file) throw new TypeError('esbuild wrote nothing');
  return file.text;
};

/**
 * One script that defines `AdaptiveCards`, as the library's own file for browsers does, in half of its weight (decision
 * 0034).
 */
export const bundleFormLibrary = (): Promise<string> => {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('adaptivecards');
  const contents = `export { AdaptiveCard, GlobalSettings, HostConfig } from ${JSON.stringify(entry)};`;
  return forBrowsers(contents, { format: 'iife', globalName: 'AdaptiveCards', target: 'es2020' });
};

/** One module in place of sixty. */
export const bundleEncryption = (): Promise<string> =>
  forBrowsers("export { CompactEncrypt } from 'jose/jwe/compact/encrypt';", { format: 'esm', target: 'es2022' });
