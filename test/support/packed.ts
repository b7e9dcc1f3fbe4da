// The packages as users get them: packed, and installed by npm into an empty folder.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from './until.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** The folder that the processes of a test run share. */
export const runVariable = 'COUNTERSIGN_TEST_RUN';

/** The packages of this repository. */
export type PackageName = 'countersign' | 'countersign-client' | 'countersign-service';

const npm = (args: readonly string[], cwd: string) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
    cwd,
    env: { ...process.env, npm_config_loglevel: 'error' },
    maxBuffer: 16 * 1024 * 1024,
  });

/** The tarball of a package, from `npm pack`, made once in a test run. */
const packed = async (name: PackageName): Promise<string> => {
  const shared = process.env[runVariable];
  if (!shared) throw new Error('These tests share a folder: run them with the project’s mocha configuration.');
  const tarball = join(shared, `${name}.tgz`);
  const folder = join(shared, `packing-${name}`);
  if (await isFirst(folder)) {
    const workspace = name === 'countersign' ? [] : ['-w', name];
    await npm(['pack', ...workspace, '--pack-destination', folder], root).catch(async (fault) => {
      await writeFile(join(folder, 'failed'), String(fault));
      throw fault;
    });
    const [made = ''] = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
    await rename(join(folder, made), tarball);
  } else await until(() => existsSync(tarball) || existsSync(join(folder, 'failed')), `${name} to be packed`, 240_000);
  return tarball;
};

/** Creates the folder. Returns whether it was new. */
export const isFirst = (folder: string) =>
  mkdir(folder).then(
    () => true,
    (fault) => {
      if (fault.code === 'EEXIST') return false;
      throw fault;
    },
  );

/** A new folder with our packages, and named others, installed by npm. The caller must remove it. */
export const installPacked = async (names: readonly PackageName[] = ['countersign'], others: readonly string[] = []): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-package-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const tarballs: string[] = [];
  for (const name of names) tarballs.push(await packed(name));
  await npm(['install', '--prefer-offline', ...tarballs, ...others], folder);
  return folder;
};
