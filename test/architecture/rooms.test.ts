import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appIds } from '../../src/contract/index.ts';
import { drawn, shown } from './diagram.ts';
import { allImports, type Import, importsOf, roomOf, root } from './imports.ts';
import { rooms } from './rooms.ts';

const place = ({ from, line, to }: Import) => `${from}:${line} imports ${to}`;
const botFramework = /^bot(?:builder|framework)-?/;
const below = (name: string) =>
  rooms
    .slice(
      0,
      rooms.findIndex((room) => room.name === name),
    )
    .map((room) => room.name);

/** The rules, each with the imports that break it. */
const rules: Record<string, (imports: readonly Import[]) => Import[]> = {
  'no room imports one that it may not': (imports) =>
    imports.filter(({ from, to }) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      if (!room || !other || room === other) return false;
      return !(room.mayImport === 'all above' ? below(room.name) : room.mayImport).includes(other.name);
    }),
  'nobody reaches past a doorway': (imports) =>
    imports.filter(({ from, to }) => {
      const { doorway, folder, besideDoorway = [] } = roomOf(to) ?? {};
      return doorway && roomOf(from) !== roomOf(to) && ![`${folder}/index.ts`, ...besideDoorway].includes(to);
    }),
  'the Bot Framework comes in by one file of a room': (imports) =>
    imports.filter(({ from, to }) => botFramework.test(to) && roomOf(from)?.botFramework !== from),
  'no import closes a circle': (imports) => {
    const next = Map.groupBy(imports, ({ from }) => from);
    const reaches = (goal: string, file: string, seen = new Set<string>()): boolean =>
      file === goal || (!seen.has(file) && !!seen.add(file) && !!next.get(file)?.some(({ to }) => reaches(goal, to, seen)));
    return imports.filter(({ from, to }) => next.has(to) && reaches(from, to));
  },
};

/** For each rule an import that breaks it, and one that does not. */
const planted: Record<keyof typeof rules, [breaks: string, keeps: string]> = {
  'no room imports one that it may not': ["import type { Bot } from '../bot/server.ts';", "import '../platform/log.ts';"],
  'nobody reaches past a doorway': ["type Ref = import('../contract/fields.ts').Ref;", "export * from '../contract/index.ts';"],
  'the Bot Framework comes in by one file of a room': ["import { Dialog } from 'botbuilder-dialogs';", "import 'botanist';"],
  'no import closes a circle': ["const self = await import('./planted.ts');", "await import('./other.ts');"],
};

const sourceFiles = () => globSync('{src,cards,dialogs}/**/*.ts', { cwd: root, exclude: ['**/node_modules', '**/dist'] });

/** The names that a file declares for others; a migration's name is nobody's but its list's. */
const namesOf = (file: string): string[] =>
  file.includes('/migrations/')
    ? []
    : [...readFileSync(join(root, file), 'utf8').matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)].map(
        ([, name = '']) => name,
      );

const isService = (name: string) => name.startsWith('service');
/** Whose rooms hold together: a name that two of them share has to be told apart wherever both are read. */
const programs: Readonly<Record<string, (room: string) => boolean>> = {
  'the bot': (name) => !isService(name),
  'the service': (name) => isService(name) || name === 'platform' || name === 'contract',
};

describe('the rooms', () => {
  const imports = allImports();

  it('have one order, and may import only rooms above them in it', () => {
    for (const { name, mayImport } of rooms) {
      const above = mayImport === 'all above' ? [] : mayImport.filter((other) => !below(name).includes(other));
      assert.deepEqual(above, [], name);
    }
  });

  it('contain every source file', () => {
    assert.deepEqual(
      sourceFiles().filter((file) => !roomOf(file)),
      [],
    );
    for (const { folder, doorway } of rooms) assert.ok(existsSync(join(root, folder, doorway ? 'index.ts' : '')), folder);
  });

  for (const [rule, broken] of Object.entries(rules)) {
    it(`${rule}`, () => assert.deepEqual(broken(imports).map(place), []));

    it(`reports an import that breaks this rule: ${rule}`, () => {
      const [breaks, keeps] = planted[rule] as [string, string];
      const more = (text: string) => broken([...imports, ...importsOf('src/client/planted.ts', text)]).length - broken(imports).length;
      assert.deepEqual([more(breaks), more(keeps)], [1, 0]);
    });
  }

  for (const [program, isOf] of Object.entries(programs))
    it(`export no name from two rooms, as far as ${program} is concerned`, () => {
      const exported = sourceFiles().flatMap((file) => {
        const room = roomOf(file);
        return room && isOf(room.name) ? namesOf(file).map((name) => ({ name, room: room.name })) : [];
      });
      const ofEachApp = appIds.map((id) => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
      const twice = [...Map.groupBy(exported, ({ name }) => name)]
        .map(([name, places]) => [name, ...new Set(places.map(({ room }) => room))])
        .filter(([name = '', ...places]) => places.length > 1 && !ofEachApp.includes(name));
      assert.deepEqual(twice, []);
    });

  it('load no more than types from the index of botbuilder-dialogs, which brings its recognisers (decision 0145)', () => {
    const loads = /^(?:import|export) (?!type\b)[^;]*from 'botbuilder-dialogs';/m;
    assert.deepEqual(
      [loads.test("export { type A, Dialog } from 'botbuilder-dialogs';"), loads.test("export type { A } from 'botbuilder-dialogs';")],
      [true, false],
    );
    assert.deepEqual(
      sourceFiles().filter((file) => loads.test(readFileSync(join(root, file), 'utf8'))),
      [],
    );
  });

  it('are drawn in docs/architecture.md as they are; `npm run diagram` draws them anew', () => {
    assert.equal(shown(readFileSync(join(root, 'docs/architecture.md'), 'utf8')), drawn(imports));
  });
});
