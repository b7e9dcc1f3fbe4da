import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingNames as botSettings } from '../../src/compose/start/settings.ts';
import { next, type Transition } from '../../src/interactions/interaction.ts';
import { settingNames as serviceSettings } from '../../src/service/settings.ts';
import { anchorsOf, decisions, fencesOf, linksOf, manuals, read, root, settingsIn, withoutFences } from './documents.ts';

const all = [...manuals, ...decisions];
const records = decisions.filter(({ file }) => !file.endsWith('README.md'));
const numbers = records.map(({ file }) => /\d{4}/.exec(file)?.[0]);
const settings = [
  ['docs/operations.md', botSettings],
  ['src/service/README.md', serviceSettings],
] as const;
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('the documents', () => {
  for (const document of all) {
    const { file, text } = document;
    it(`link to existing files and headings: ${file}`, () => {
      for (const { to, anchor } of linksOf(document)) {
        assert.ok(existsSync(join(root, to)), to);
        if (anchor) assert.ok(anchorsOf(read(to)).includes(anchor), `${to}#${anchor}`);
      }
    });

    it(`name existing files and commands: ${file}`, () => {
      const named = [...text.matchAll(/(?:src="|`)((?:\.github|manifest|src|cards|dialogs|test|docs)\/[\w./-]*)["`]/g)];
      for (const [, path = ''] of named) assert.ok(existsSync(join(root, path)), path);
      for (const [, name = ''] of text.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g)) assert.ok(name in scripts, name);
    });
  }

  for (const { file, text } of manuals) {
    it(`are no wider than 120 columns, but for tables and what cannot be broken: ${file}`, () => {
      const wide = withoutFences(text)
        .split('\n')
        .filter((line) => line.length > 120 && !/^(?:\||\s*(?:- )?\S+$|- \[.*\)$)/.test(line));
      assert.deepEqual(wide, []);
    });
  }

  it('begin with a README of 200 lines at most', () => {
    assert.ok(read('README.md').text.split('\n').length <= 200);
  });

  it('list every decision once, by its title', () => {
    const listed = [...read('docs/decisions/README.md').text.matchAll(/^- \[(\d{4})\]\((.*)\)\s+(.*(?:\n {2}.*)*)$/gm)];
    assert.deepEqual(
      listed.map(([, number, file, title]) => `docs/decisions/${file}: # ${number} ${title?.replace(/\s+/g, ' ')}`).sort(),
      records.map(({ file, text }) => `${file}: ${text.split('\n', 1)[0]}`),
    );
  });

  it('name existing decisions', () => {
    for (const { file, text } of all) {
      const cited = [
        ...text.matchAll(/\bdecisions?\s+(\d{4})\b/g),
        ...(records.some((one) => one.file === file) ? text.matchAll(/\((\d{4})\)/g) : []),
      ];
      for (const [words, number] of cited) assert.ok(numbers.includes(number), `${file}: ${words}`);
    }
  });

  it('hold sixty decisions at most', () => {
    assert.ok(records.length <= 60, `there are ${records.length}`);
  });

  for (const [file, names] of settings) {
    it(`name every setting, and no other: ${file}`, () => {
      assert.deepEqual(settingsIn(read(file)).sort(), [...names].sort());
    });
  }

  it('set only existing settings', () => {
    const known = new Set(settings.flatMap(([, names]) => names));
    const set = manuals.flatMap(fencesOf).flatMap(({ code }) => [...code.matchAll(/^export (\w+)=/gm)].map(([, name = '']) => name));
    assert.deepEqual(
      set.filter((name) => !known.has(name)),
      [],
    );
  });
});

for (const file of ['docs/security.md', 'docs/faults.md']) {
  describe(`what ${file} promises`, () => {
    for (const section of read(file).text.split(/^### /m).slice(1)) {
      const [title = ''] = section.split('\n');
      it(`has tests of the given names: ${title}`, () => {
        const tests = linksOf({ file, text: section }).filter(({ to }) => to.startsWith('test/'));
        assert.notEqual(tests.length, 0);
        for (const { words, to } of tests) assert.ok(readFileSync(join(root, to), 'utf8').includes(words), `${to}: ${words}`);
      });
    }
  });
}

describe('comments', () => {
  const sources = globSync('{src,cards,dialogs,test,.build}/**/*.{ts,js}', { cwd: root, exclude: ['**/node_modules', '**/dist'] });
  const texts = sources.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

  it('cite existing documents, headings and records', () => {
    for (const { file, text } of texts) {
      for (const [cited, path = '', anchor] of text.matchAll(/(?<![\w/])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)) {
        assert.ok(existsSync(join(root, path)), `${file}: ${cited}`);
        if (anchor) assert.ok(anchorsOf(read(path)).includes(anchor), `${file}: ${cited}`);
      }
      for (const [cited, number] of text.matchAll(/(?:\bdecision |docs\/decisions\/)(\d{4})\b/g))
        assert.ok(numbers.includes(number), `${file}: ${cited}`);
    }
  });
});

describe('the states in docs/architecture.md', () => {
  // Keys of a record, so that a new kind does not compile without its place here.
  const kinds = Object.keys({
    accepted: 0,
    refused: 0,
    lost: 0,
    resent: 0,
    mistyped: 0,
    guessed: 0,
    decided: 0,
    expired: 0,
    abandoned: 0,
    delivered: 0,
    unreachable: 0,
  } satisfies Record<Transition['kind'], 0>) as Transition['kind'][];
  const states = ['intended', 'waiting', 'refused', 'unknown', 'decided', 'expired', 'unresolved', 'delivered', 'undeliverable'] as const;

  it('are those of the code, with every transition', () => {
    const diagram = fencesOf(read('docs/architecture.md')).find(({ code }) => code.startsWith('stateDiagram'));
    const drawn = [...(diagram?.code ?? '').matchAll(/^ {2}(\w+) --> (\w+):/gm)].map(([, from, to]) => `${from} --> ${to}`);
    const possible = states.flatMap((from) =>
      kinds
        .map((kind) => next(from, { kind } as Transition))
        .filter((to) => to !== undefined && to !== from)
        .map((to) => `${from} --> ${to}`),
    );
    assert.deepEqual(new Set(drawn), new Set(possible));
  });
});
