import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../tiers.ts';

// A made-up app, "call-back", modelled on e-form: its own files, and a line in each place that the compiler reports.
describe('a sixth app', () => {
  let copy: string;
  const touched = new Set<string>();
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'sixth-app-'));
    for (const part of ['src', 'cards', 'dialogs', 'tsconfig.json', 'package.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !/node_modules|\bdist\b/.test(path) });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rmSync(copy, { recursive: true, force: true }));

  const read = (file: string) => readFileSync(join(copy, file), 'utf8');
  const write = (file: string, text: string) => {
    touched.add(file);
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    writeFileSync(join(copy, file), text);
  };
  const renamed = (text: string) => text.replace(/'e-form'(?!:)/g, "'call-back'").replaceAll('eForm', 'callBack');

  /** Adds a line for the new app after each of e-form's, and the app's own file beside a registry. */
  const register = (file: string) => {
    const text = read(file);
    const [own, path = ''] = /^import \{ eForm \} from '\.\/(e-form(?:\/app)?\.ts)';\n/m.exec(text) ?? [];
    // What stands beside the app in a folder of its own is only borrowed.
    const borrowing = (app: string) => (path.includes('/') ? app.replaceAll("from './", "from '../e-form/") : app);
    if (own) write(join(dirname(file), path.replace('e-form', 'call-back')), borrowing(renamed(read(join(dirname(file), path)))));
    const lines = /^ {2,4}'e-form': .*\n/gm;
    assert.match(text, lines, `${file} has no line of e-form`);
    const added = text.replace(lines, (line) => line + line.replace("'e-form'", "'call-back'").replace('eForm', 'callBack'));
    write(file, own ? added.replace(own, own.replace('e-form', 'call-back').replace('eForm', 'callBack') + own) : added);
  };

  /** Gives the new app a text wherever e-form has one. */
  const translate = (file: string) => {
    const withTwins = (tree: object): object =>
      Object.fromEntries(
        Object.entries(tree).flatMap(([key, value]) => {
          const entry = [key, typeof value === 'object' ? withTwins(value) : value];
          return /\be-form\b/.test(key) ? [entry, [key.replace('e-form', 'call-back'), value]] : [entry];
        }),
      );
    write(file, JSON.stringify(withTwins(JSON.parse(read(file)))));
  };

  /** The compiler's errors, one per line. */
  const compile = (): readonly string[] => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const config = join(copy, 'tsconfig.sixth.json');
    writeFileSync(config, JSON.stringify({ extends: './tsconfig.json', include: ['src', 'cards', 'dialogs'] }));
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', config], { encoding: 'utf8', cwd: copy });
    // A library's own sources are none of ours.
    return stdout.split('\n').filter((line) => /^\S+\(\d+,\d+\): error/.test(line) && !line.includes('node_modules/'));
  };
  const fileOf = (error: string) => error.slice(0, error.indexOf('('));
  /** The files in which the compiler misses the new app. */
  const asked = (errors: readonly string[]) => [
    ...new Set(errors.filter((error) => error.includes(`Property '"call-back"' is missing`)).map(fileOf)),
  ];

  it('costs 8 files on the bot’s side and 12 in all besides its texts in each language, and the compiler asks for each', function () {
    this.timeout(600_000);
    register('src/contract/apps.ts');
    let errors = compile();
    const registries = asked(errors);
    for (const registry of ['cards/apps.ts', 'dialogs/apps/apps.ts'])
      assert.ok(registries.includes(registry), `${registry} is not asked for`);
    // Texts are data: a missing one is reported where they are read.
    assert.ok(errors.some((error) => fileOf(error) === 'dialogs/language/texts.ts'));
    assert.ok(errors.some((error) => error.includes('\'"app.call-back"') || error.includes('"app.call-back"')));
    for (const file of globSync(['dialogs/locales/*.json', 'src/service/**/locales/*.json'], { cwd: copy, exclude: ['**/node_modules'] }))
      translate(file);
    for (let round = 0; asked(errors).length > 0 && round < 3; round += 1) {
      for (const file of asked(errors)) register(file);
      errors = compile();
    }
    assert.deepEqual(errors, []);
    const files = [...touched].filter((file) => !file.includes('/locales/')).sort();
    const onBotsSide = files.filter((file) => !file.startsWith('src/service/'));
    console.log(`      ${files.join('\n      ')}`);
    assert.ok(onBotsSide.length <= 8, `on the bot’s side: ${onBotsSide.join(' ')}`);
    assert.ok(files.length <= 12, `in all: ${files.join(' ')}`);
  });
});
