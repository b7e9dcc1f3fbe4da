import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, normalize } from 'node:path';

/** Rooms that are entered by their index.ts alone. */
const rooms = ['cards', 'dialogs', 'src/bot', 'src/directline', 'src/handoff', 'src/web'];
/** Read with the settings, before the Bot Framework SDK is loaded (docs/decisions/0045). */
const open = new Set(['src/bot/refuse-unsafe.ts', 'dialogs/catalogue.ts']);

const sources = ['cards', 'dialogs', 'src'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
);
const roomOf = (file: string) => rooms.find((room) => file.startsWith(`${room}/`));
const importsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+\.ts)'/g)].map(([, target = '']) =>
    normalize(`${dirname(file)}/${target}`),
  );
/** Whether an import of one room's file enters another room by anything but its doorway. */
const reachesPast = (file: string, target: string) => {
  const room = roomOf(target);
  return room !== undefined && room !== roomOf(file) && target !== `${room}/index.ts` && !open.has(target);
};

describe('the rooms', () => {
  it('are entered by their doorways', () => {
    const past = sources.flatMap((file) =>
      importsOf(file)
        .filter((target) => reachesPast(file, target))
        .map((target) => `${file}: ${target}`),
    );
    assert.deepEqual(past, []);
    assert.equal(reachesPast('src/compose/bot.ts', 'src/bot/adapter.ts'), true);
  });

  it('have doorways that only export', () => {
    for (const room of rooms) {
      const rest = readFileSync(`${room}/index.ts`, 'utf8').replace(/^export (?:type )?\{[^}]*\} from '[^']+';$|^\/\/.*$/gm, '');
      assert.equal(rest.trim(), '', room);
    }
  });

  it('know the Bot Framework SDK by one file each', () => {
    const users = sources.filter((file) => /from '(?:botbuilder|botframework-(?:connector|schema))/.test(readFileSync(file, 'utf8')));
    for (const room of rooms) assert.ok(users.filter((file) => roomOf(file) === room).length <= 1, room);
  });
});
