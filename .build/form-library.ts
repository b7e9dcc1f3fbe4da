// The Adaptive Cards library as the pages of forms need it: what reads and shows a card, without carousels, tables,
// applets and their styles.
import { createRequire } from 'node:module';
import { build } from 'esbuild';

/**
 * One script that defines `AdaptiveCards`, as the library's own file for browsers does, in half of its weight (decision
 * 0034).
 */
export const bundleFormLibrary = async (): Promise<string> => {
  const require = createRequire(import.meta.url);
  const entry = require.resolve('adaptivecards');
  const { outputFiles } = await build({
    stdin: {
      contents: `export { AdaptiveCard, GlobalSettings, HostConfig } from ${JSON.stringify(entry)};`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    legalComments: 'inline',
    format: 'iife',
    globalName: 'AdaptiveCards',
    target: 'es2020',
    write: false,
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (!file) throw new TypeError('esbuild wrote nothing');
  return file.text;
};
