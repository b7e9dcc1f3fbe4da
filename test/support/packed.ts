// The package as others get it: packed, and installed with what it needs to run and nothing else.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Packs it and puts it into a new folder's node_modules. Tells the folder; whoever asked removes it. */
export const installPacked = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-package-'));
  const modules = join(folder, 'node_modules');
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
  return folder;
};
