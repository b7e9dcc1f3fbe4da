// Makes what `countersign-service` ships: its program, and its doorway for a process that starts it beside the bot.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import service from '../src/service/package.json' with { type: 'json' };
import { copyServiceAssets } from './assets.ts';
import { bundle, writeLicences } from './bundle.ts';

process.chdir(join(import.meta.dirname, '..'));
const folder = 'src/service/dist';
rmSync(folder, { recursive: true, force: true });

const entries = { main: 'src/service/main.ts', index: 'src/service/index.ts' };
const inside = await bundle({ entries, folder, external: Object.keys(service.dependencies) });
writeLicences(folder, new Map([...inside, ...(await copyServiceAssets(folder))]));
