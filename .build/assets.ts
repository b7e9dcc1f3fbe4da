// The files that pages load by name, of our own and of libraries, put where a bundle finds them.
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { bundleEncryption, bundleFormLibrary } from './form-library.ts';
import { licenceIn, licencesOf } from './licences.ts';
import { bundleWebChat } from './web-chat.ts';

const modules = 'node_modules';

/** Scripts and styles of our own. */
const copyOwn = (from: string, folder: string) => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  cpSync(from, join(folder, 'assets'), { recursive: true, filter: (file) => !file.endsWith('.ts') });
};

/** Of each library the files that are loaded; answers the licences. */
const copyOf = (folder: string, libraries: Readonly<Record<string, readonly (readonly [path: string, name: string])[]>>) =>
  new Map(
    Object.entries(libraries).map(([name, files]) => {
      for (const [path, as] of files) copyFileSync(join(modules, name, path), join(folder, 'assets', as));
      return licenceIn(join(modules, name));
    }),
  );

/** What the chat page, the desk, the designer and the gallery load. */
export const copyChatAssets = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  for (const own of ['src/platform/pages/assets', 'src/web/assets', 'src/desk/assets', 'src/designer/assets', 'src/gallery/assets'])
    copyOwn(own, folder);
  const { script, files } = await bundleWebChat();
  writeFileSync(join(folder, 'assets/webchat.js'), script);
  const copied = copyOf(folder, {
    adaptivecards: [['dist/adaptivecards.min.js', 'card-library.js']],
    'chart.js': [['dist/chart.umd.min.js', 'chart.js']],
    htm: [['dist/htm.mjs', 'htm.js']],
    preact: [
      ['dist/preact.mjs', 'preact.js'],
      ['hooks/dist/hooks.mjs', 'preact-hooks.js'],
    ],
  });
  return new Map([...licencesOf(files), ...copied]);
};

/** What the service's pages and documents load, and the demo's catalogue. */
export const copyServiceAssets = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  for (const own of ['src/platform/pages/assets', 'src/service/assets']) copyOwn(own, folder);
  copyFileSync('src/service/demo.yaml', join(folder, 'demo.yaml'));
  // Read at every start, and JSON is read a hundred times as fast.
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(parse(readFileSync('src/service/demo.yaml', 'utf8'))));
  writeFileSync(join(folder, 'assets/adaptivecards.js'), await bundleFormLibrary());
  writeFileSync(join(folder, 'assets/jose.js'), await bundleEncryption());
  // A typeface is given away with its licence only.
  const typeface = [
    '400Regular/NotoSerif_400Regular.ttf',
    '700Bold/NotoSerif_700Bold.ttf',
    '400Regular_Italic/NotoSerif_400Regular_Italic.ttf',
  ];
  return copyOf(folder, {
    adaptivecards: [],
    jose: [],
    'chart.js': [['dist/chart.umd.min.js', 'chart.js']],
    'swagger-ui-dist': [
      ['swagger-ui-bundle.js', 'swagger-ui.js'],
      // Of the libraries inside it.
      ['swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.js.LICENSE.txt'],
      ['swagger-ui.css', 'swagger-ui.css'],
    ],
    '@simplewebauthn/browser': [['dist/bundle/index.umd.min.js', 'simplewebauthn.js']],
    '@expo-google-fonts/noto-serif': [...typeface, 'LICENSE_FONT'].map((path) => [path, basename(path)] as const),
    '@expo-google-fonts/noto-naskh-arabic': [
      ['400Regular/NotoNaskhArabic_400Regular.ttf', 'NotoNaskhArabic_400Regular.ttf'],
      ['700Bold/NotoNaskhArabic_700Bold.ttf', 'NotoNaskhArabic_700Bold.ttf'],
      ['LICENSE_FONT', 'LICENSE_FONT_NotoNaskhArabic'],
    ],
    '@expo-google-fonts/noto-sans-jp': [
      ['400Regular/NotoSansJP_400Regular.ttf', 'NotoSansJP_400Regular.ttf'],
      ['LICENSE_FONT', 'LICENSE_FONT_NotoSansJP'],
    ],
  });
};
