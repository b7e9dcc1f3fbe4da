// Compiles the client's package: the client, the contract, and the few files of the platform that they import.
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'src/client');

rmSync(join(folder, 'dist'), { recursive: true, force: true });
const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');
execFileSync(process.execPath, [tsc, '-p', join(root, '.build/client.tsconfig.json')], { stdio: 'inherit' });
// Every package carries the licence that it is given under.
copyFileSync(join(root, 'LICENSE'), join(folder, 'dist/LICENSE'));
