import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../tiers.ts';

/** Each capability, with those of the list that use it and go with it. */
const removable: Readonly<Record<string, readonly string[]>> = {
  'azure-direct-line': [],
  connector: [],
  designer: [],
  desk: [],
  flows: ['designer', 'guests', 'testing'],
  gallery: ['own-cards', 'testing'],
  guests: ['testing'],
  handoff: ['desk'],
  mcp: [],
  'own-cards': ['testing'],
  programs: ['mcp', 'connector'],
  skill: [],
  testing: [],
  voice: [],
};

/** The files that know capabilities by name: the list, and what the package exports of them and of their options. */
const known = ['src/compose/capabilities.ts', 'src/compose/bot-options.ts', 'src/compose/create-bot.ts'];

describe('without a capability’s folder and its line, the program has no type error', () => {
  let copy: string;
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'removable-'));
    for (const part of ['src', 'cards', 'dialogs', 'tsconfig.json', 'package.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !/node_modules|\bdist\b/.test(path) });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    writeFileSync(
      join(copy, 'tsconfig.removable.json'),
      JSON.stringify({ extends: './tsconfig.json', include: ['src', 'cards', 'dialogs'] }),
    );
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  /** A text without what it knows of these folders: imports, entries of lists and types, and calls that wrap another. */
  const withoutTheirs = (text: string, folders: readonly string[]): string => {
    const statement = new RegExp(`^(?:import|export) (?:type )?\\{([^}]*)\\} from '\\.\\./(?:${folders.join('|')})/[^']*';\\n`, 'gm');
    const names = [...text.matchAll(statement)].flatMap(([, list = '']) => list.match(/\b(?!type\b)\w+/g) ?? []);
    return names.reduce(
      (left, name) =>
        left
          .replace(new RegExp(`(?<=^export const capabilities = \\[[^\\]]*)\\b${name}\\b,?| & ${name}\\b`, 'gm'), '')
          .replace(new RegExp(`\\b${name}\\((\\w+), (\\w+)\\)`, 'g'), '$1($2)'),
      text.replace(statement, ''),
    );
  };

  /** Removes the folders and their lines; returns the compiler's errors. */
  const without = (folders: readonly string[]): readonly string[] => {
    for (const folder of folders) rmSync(join(copy, 'src', folder), { recursive: true });
    for (const file of known) writeFileSync(join(copy, file), withoutTheirs(readFileSync(join(root, file), 'utf8'), folders));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.removable.json'], { encoding: 'utf8', cwd: copy });
    for (const folder of folders) cpSync(join(root, 'src', folder), join(copy, 'src', folder), { recursive: true });
    for (const file of known) cpSync(join(root, file), join(copy, file));
    return stdout.split('\n').filter((line) => /^\S+\(\d+,\d+\): error/.test(line) && !line.includes('node_modules/'));
  };

  for (const [name, users] of Object.entries(removable))
    it(users.length === 0 ? name : `${name}, with ${users.join(' and ')}`, function () {
      this.timeout(300_000);
      assert.deepEqual(without([name, ...users]), []);
    });

  it('but has some without a room of the core', function () {
    this.timeout(300_000);
    assert.ok(without(['verification']).length > 0);
  });
});
