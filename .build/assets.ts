// Puts beside the compiled code what the compiler leaves behind: styles, scripts, the demo catalogue, and libraries' own scripts.
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const out = process.argv[2] ?? 'dist';

for (const folder of ['src/web/assets', 'src/service/assets']) {
  mkdirSync(join(out, folder), { recursive: true });
  cpSync(folder, join(out, folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });
}
copyFileSync('src/service/demo.yaml', join(out, 'src/service/demo.yaml'));

// Of each library the one file that browsers load: its package stays a development dependency.
const require = createRequire(import.meta.url);
const libraries = [
  [require.resolve('botframework-webchat'), '../dist/webchat.js', 'src/web/assets/webchat.js'],
  [require.resolve('@simplewebauthn/browser'), '../dist/bundle/index.umd.min.js', 'src/service/assets/simplewebauthn.js'],
] as const;
for (const [entry, path, copy] of libraries) copyFileSync(new URL(path, pathToFileURL(entry)), join(out, copy));
