// Makes what `countersign` ships: programs that need no install, libraries that leave the Bot Framework to whoever uses
// them, and types.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import countersign from '../package.json' with { type: 'json' };
import { copyChatAssets } from './assets.ts';
import { bundle, onlyWhatIsUsed, serviceBeside, writeLicences } from './bundle.ts';
import { asScript, bundleScript } from './script.ts';
import { keepReached } from './types.ts';

const root = join(import.meta.dirname, '..');
const folder = 'dist';
const require = createRequire(import.meta.url);
process.chdir(root);
rmSync(folder, { recursive: true, force: true });

const script = { entry: 'src/start.ts', name: 'start' };
const programs = [
  await bundle({ entries: { main: 'src/main.ts' }, folder, external: [], plugins: [serviceBeside, asScript(script)] }),
  await bundleScript({ ...script, folder, external: [], plugins: [serviceBeside] }),
];
const external = [...Object.keys(countersign.dependencies), ...Object.keys(countersign.peerDependencies)];
const libraries = await bundle({
  entries: {
    index: 'src/compose/create-bot.ts',
    dialogs: 'src/guests/create-dialogs.ts',
    testing: 'src/testing/index.ts',
    client: 'src/client/index.ts',
    contract: 'src/contract/index.ts',
  },
  folder,
  external,
  plugins: [serviceBeside],
});
// By itself: what it shares with the others has the Bot Framework beside it.
const cards = await bundle({
  entries: { cards: 'src/compose/cards-for-programs.ts' },
  folder,
  external,
  plugins: [serviceBeside, onlyWhatIsUsed],
});

// Flows that come with the bot, and what editors check flows by.
cpSync('dialogs/flows', join(folder, 'flows'), { recursive: true });
cpSync('src/flows/flows.schema.json', join(folder, 'flows.schema.json'));

writeLicences(folder, new Map([...programs.flatMap((inside) => [...inside]), ...libraries, ...cards, ...(await copyChatAssets(folder))]));

const tsc = join(require.resolve('typescript/package.json'), '../bin/tsc');
execFileSync(process.execPath, [tsc, '-p', '.build/library.tsconfig.json'], { stdio: 'inherit' });
const entries = Object.values(countersign.exports)
  .flatMap((entry) => (typeof entry === 'string' ? [] : [entry]))
  .map(({ types }) => types.replace('./dist/types/', '').replace('.d.ts', ''));
keepReached(join(folder, 'types'), entries, external);
// Keys of texts are typed by the texts themselves, which the compiler leaves behind.
for (const locales of ['dialogs/locales', 'src/web/locales']) cpSync(locales, join(folder, 'types', locales), { recursive: true });
