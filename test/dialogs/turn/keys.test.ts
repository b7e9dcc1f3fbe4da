import assert from 'node:assert/strict';
import { pressed } from '../../../dialogs/turn/keys.ts';
import type { Memory } from '../../../dialogs/turn/memory.ts';

describe('the keys of a phone', () => {
  /** What the last of these keys comes to, and what is kept. */
  const after = (entry: 'choice' | 'code' | 'figures', ...keys: string[]) => {
    const memory: Memory = {};
    const come = keys.map((key) => pressed(key, memory, entry)).at(-1);
    return come?.kind === 'text' ? come.text : come?.kind;
  };

  const table: [string, 'choice' | 'code' | 'figures', string[], string | undefined][] = [
    ['pick a choice', 'choice', ['2'], '2'],
    ['pick a choice of two figures', 'choice', ['12#'], '12'],
    ['bring a person', 'choice', ['0'], 'person'],
    ['ask for the same once more', 'choice', ['9'], 'repeat'],
    ['ask for it by # as well', 'choice', ['#'], 'repeat'],
    ['are no answer before # in a row of figures', 'figures', ['2', '0', '2'], 'none'],
    ['are a row of figures up to #', 'figures', ['2', '0', '9', '#'], '209'],
    ['are a row that came at once', 'figures', ['2025550102#'], '2025550102'],
    ['bring a person where 0 stands alone', 'figures', ['0', '#'], 'person'],
    ['ask for the same once more where 9 stands alone', 'figures', ['9', '#'], 'repeat'],
    ['begin anew after *', 'figures', ['2', '2', '*', '3', '#'], '3'],
    ['begin anew after * in what came at once', 'figures', ['22*3#'], '3'],
    ['are a code as soon as there are six', 'code', ['1', '2', '3', '4', '5', '6'], '123456'],
    ['are no code with five', 'code', ['1', '2', '3', '4', '5'], 'none'],
    ['are a choice beside a code with #', 'code', ['2', '#'], '2'],
    ['are a row where a gateway collected them', 'figures', ['2025550102'], '2025550102'],
    ['wait for # as long as a number may be', 'figures', [...'1'.repeat(20)], 'none'],
    ['end where nobody would ask for so many', 'figures', [...'1'.repeat(21)], '1'.repeat(21)],
  ];
  for (const [what, entry, keys, come] of table) it(`${what}: ${keys.join(' ')}`, () => assert.equal(after(entry, ...keys), come));

  it('are stored in the chat until they form an answer', () => {
    const memory: Memory = {};
    pressed('12', memory, 'code');
    assert.equal(memory.keyed, '12');
    pressed('3456', memory, 'code');
    assert.equal(memory.keyed, undefined);
  });
});
