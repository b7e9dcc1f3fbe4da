// Puts beside the compiled code what the compiler leaves behind: styles, scripts, the demo catalogue, libraries' own scripts, and a typeface.
import { copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleFormLibrary } from './form-library.ts';

const out = process.argv[2] ?? 'dist';

for (const folder of ['src/web/assets', 'src/service/assets']) {
  mkdirSync(join(out, folder), { recursive: true });
  cpSync(folder, join(out, folder), { recursive: true, filter: (file) => !file.endsWith('.ts') });
}
copyFileSync('src/service/demo.yaml', join(out, 'src/service/demo.yaml'));

// Of each library the files that are loaded: its package stays a development dependency.
const require = createRequire(import.meta.url);
const libraries = [
  [require.resolve('botframework-webchat'), '../dist/webchat.js', 'src/web/assets/webchat.js'],
  [require.resolve('chart.js'), 'chart.umd.min.js', 'src/service/assets/chart.js'],
  [require.resolve('@simplewebauthn/browser'), '../dist/bundle/index.umd.min.js', 'src/service/assets/simplewebauthn.js'],
  // A typeface is given away with its licence only.
  ...[
    '400Regular/NotoSerif_400Regular.ttf',
    '700Bold/NotoSerif_700Bold.ttf',
    '400Regular_Italic/NotoSerif_400Regular_Italic.ttf',
    'LICENSE_FONT',
  ].map(
    (path) => [require.resolve('@expo-google-fonts/noto-serif/package.json'), path, join('src/service/assets', basename(path))] as const,
  ),
] as const;
writeFileSync(join(out, 'src/service/assets/adaptivecards.js'), await bundleFormLibrary());
for (const [entry, path, copy] of libraries) copyFileSync(new URL(path, pathToFileURL(entry)), join(out, copy));
