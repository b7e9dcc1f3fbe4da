// Makes what `countersign` ships: programs that need no install, libraries that leave the Bot Framework to whoever uses them, and types.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bundle, writeLicences } from './bundle.ts';
import { licenceIn } from './licences.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist');
const require = createRequire(import.meta.url);
process.chdir(root);
rmSync(folder, { recursive: true, force: true });

/** The package that the repository has beside this one: an install has it, or does without. */
const serviceBeside = {
  name: 'service-beside',
  setup: ({ onResolve }: import('esbuild').PluginBuild) => {
    onResolve({ filter: /\/service\/index\.ts$/ }, () => ({ path: 'countersign-service', external: true }));
  },
};

const ours = ['undici', 'zod'];
const programs = await bundle({ entries: { main: 'src/main.ts' }, folder, external: [], plugins: [serviceBeside] });
const libraries = await bundle({
  entries: {
    index: 'src/compose/create-bot.ts',
    cards: 'cards/index.ts',
    client: 'src/client/index.ts',
    contract: 'src/contract/index.ts',
  },
  folder,
  external: [...ours, 'botbuilder', 'botbuilder-dialogs', 'botframework-connector', 'botframework-schema'],
});

// The pages load these by name; a library's file for browsers is all that is needed of it.
mkdirSync(join(folder, 'assets'));
cpSync('src/web/assets', join(folder, 'assets'), { recursive: true, filter: (file) => !file.endsWith('.ts') });
const webChat = join(root, 'node_modules/botframework-webchat');
copyFileSync(join(webChat, 'dist/webchat.js'), join(folder, 'assets/webchat.js'));
writeLicences(folder, new Map([...programs, ...libraries, licenceIn(webChat)]));

const tsc = join(require.resolve('typescript/package.json'), '../bin/tsc');
execFileSync(process.execPath, [tsc, '-p', '.build/library.tsconfig.json'], { stdio: 'inherit' });
