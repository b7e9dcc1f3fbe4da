// The Bot Framework SDK with native `async` functions. What is published of it is compiled for engines without them; its
// packages have the TypeScript beside that (docs/decisions/0155).
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';

const published = /(?<=[\\/]node_modules[\\/]bot(?:builder|framework)[^\\/]*[\\/])lib([\\/].*)\.js$/;

/** A file of the SDK that has asynchronous functions, compiled for Node from its source. `undefined`: the file is none. */
export const compiledForNode = (file: string): string | undefined => {
  if (!published.test(file) || !readFileSync(file, 'utf8').includes('__awaiter')) return undefined;
  const source = readFileSync(file.replace(published, 'src$1.ts'), 'utf8');
  const tsconfigRaw = { compilerOptions: { useDefineForClassFields: false } };
  return transformSync(source, { loader: 'ts', format: 'cjs', platform: 'node', target: 'node22', tsconfigRaw }).code;
};
