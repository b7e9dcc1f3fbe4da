import assert from 'node:assert/strict';
import { universal } from '../../cards/index.ts';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { cardSamples } from '../../src/gallery/samples.ts';
import { nodesOf, stringsOf } from '../support/card-text.ts';
import type { Seen } from '../support/direct-line.ts';

describe('a card with universal actions', () => {
  const samples = cardSamples(makeTexts('en', { timeZone: 'UTC' })).map(({ name, message: { card } }) => ({ name, card }));
  const typed = (card: object, type: string): Seen[] => nodesOf(card).filter((each) => each.type === type);

  it('says the same as the original card, and accepts the same clicks', () => {
    let clicks = 0;
    for (const { name, card } of samples) {
      const submits = typed(card, 'Action.Submit');
      const executes = typed(universal(card), 'Action.Execute');
      clicks += submits.length;
      assert.deepEqual(
        executes.map(({ title, data, style, associatedInputs }) => ({ title, data, style, associatedInputs })),
        submits.map(({ title, data, style, associatedInputs }) => ({ title, data, style, associatedInputs })),
        name,
      );
      assert.deepEqual(new Set(stringsOf(universal(card))), new Set(stringsOf(card)), name);
    }
    assert.ok(clicks > 50, `${clicks} clicks`);
  });

  it('has for every button what an older client shows instead, and the version that they need', () => {
    for (const { name, card } of samples) {
      const made = universal(card);
      assert.equal(made.version, '1.5', name);
      for (const { fallback, verb } of typed(made, 'Action.Execute'))
        assert.deepEqual([fallback.type, verb], ['Action.Submit', 'press'], name);
      assert.deepEqual(
        typed(made, 'Action.Execute').map(({ fallback }) => fallback),
        typed(card, 'Action.Submit'),
        name,
      );
    }
  });

  it('uses no colour that cannot be read on the white of Teams', () => {
    const colours = (cards: readonly object[]) => new Set(cards.flatMap((card) => nodesOf(card).map(({ color }) => color)));
    assert.deepEqual(
      ['Good', 'Warning', 'Attention', 'Accent'].map((colour) => colours(samples.map(({ card }) => card)).has(colour)),
      [true, true, true, true],
    );
    const shown = colours(samples.map(({ card }) => universal(card)));
    assert.deepEqual(
      ['Good', 'Warning', 'Attention', 'Accent'].map((colour) => shown.has(colour)),
      [false, false, true, true],
    );
  });

  it('fits into a message: at most 28 KB as JSON, the limit of Teams', () => {
    for (const { name, card } of samples) assert.ok(Buffer.byteLength(JSON.stringify(universal(card, ['u1']))) <= 28 * 1024, name);
  });

  it('names at most 60 users to refresh for, and none if it does not change', () => {
    const [{ card } = samples[0] as never] = samples;
    const users = (count: number) => Array.from({ length: count }, (_, index) => `u${index}`);
    assert.equal(universal(card, users(60)).refresh?.userIds.length, 60);
    assert.equal(universal(card, users(61)).refresh?.userIds.length, 60);
    assert.equal('refresh' in universal(card), false);
  });
});
