// Makes what `countersign-service` ships: its program, and its doorway for a process that starts it beside the bot.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import service from '../src/service/package.json' with { type: 'json' };
import { copyServiceAssets } from './assets.ts';
import { bundle, writeLicences } from './bundle.ts';
import { asScript, bundleScript } from './script.ts';

process.chdir(join(import.meta.dirname, '..'));
const folder = 'src/service/dist';
rmSync(folder, { recursive: true, force: true });

const entries = { main: 'src/service/main.ts', index: 'src/service/index.ts' };
const script = { entry: 'src/service/index.ts', name: 'service' };
// jose is loaded at every start: as sixty modules, if it were not inside.
const external = Object.keys(service.dependencies).filter((name) => name !== 'jose');
const inside = await bundle({ entries, folder, external, plugins: [asScript(script)] });
const inScript = await bundleScript({ ...script, folder, external });
writeLicences(folder, new Map([...inside, ...inScript, ...(await copyServiceAssets(folder))]));
