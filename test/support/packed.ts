// The package as others get it: packed, and installed with what it needs to run and nothing else.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Where a run of the tests keeps what its processes share. */
export const runVariable = 'COUNTERSIGN_TEST_RUN';

/** A new folder in whose node_modules the package is installed; whoever asked removes it. It is packed once in a run of the tests. */
export const installPacked = async (): Promise<string> => {
  const run = process.env[runVariable];
  if (!run) throw new Error('These tests share a folder: run them with the project’s mocha configuration.');
  const modules = join(run, 'node_modules');
  const ready = join(run, 'packed');
  if (await isFirst(modules)) {
    await pack(run, modules);
    await writeFile(ready, '');
  } else await until(() => existsSync(ready), 'the package to be packed', 180_000);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-package-'));
  await symlink(modules, join(folder, 'node_modules'));
  return folder;
};

/** Whether the folder was not there; now it is. */
export const isFirst = (folder: string) =>
  mkdir(folder).then(
    () => true,
    (fault) => {
      if (fault.code === 'EEXIST') return false;
      throw fault;
    },
  );

const pack = async (folder: string, modules: string): Promise<void> => {
  const own = join(modules, 'countersign');
  await mkdir(own, { recursive: true });
  const env = { ...process.env, npm_config_loglevel: 'error' };
  await run('npm', ['pack', '--pack-destination', folder], { cwd: root, env });
  const [packed = ''] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await run('tar', ['-xzf', join(folder, packed), '-C', own, '--strip-components=1']);
  // As an install would: what it depends on, and nothing that only builds or tests it.
  const { stdout } = await run('npm', ['ls', '--omit=dev', '--all', '--parseable'], { cwd: root, env, maxBuffer: 16 * 1024 * 1024 });
  const needed = stdout
    .split('\n')
    .map((path) => relative(join(root, 'node_modules'), path))
    .filter((path) => path !== '' && !path.startsWith('..') && !path.includes('node_modules'));
  for (const name of new Set(needed)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
};
