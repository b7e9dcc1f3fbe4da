import assert from 'node:assert/strict';
import { mayLookUp } from '../../dialogs/lookup-limit.ts';
import type { Memory } from '../../dialogs/memory.ts';

describe('the limit of lookups', () => {
  const rate = { perTenMinutes: 3, perDay: 20 };
  const start = Date.parse('2026-11-20T09:00:00Z');
  const numberOf = (index: number) => `+1202555${String(index).padStart(4, '0')}`;

  it('is three in ten minutes, and twenty a day', () => {
    const memory: Memory = {};
    let now = start;
    let asked = 0;
    let allowed = 0;
    const ask = () => {
      asked += 1;
      return mayLookUp(memory, numberOf(asked), rate, now);
    };
    for (let round = 0; round < 10; round += 1) {
      const answers = [ask(), ask(), ask(), ask()];
      allowed += answers.filter(Boolean).length;
      assert.equal(answers[3], false);
      now += 600_001;
    }
    assert.equal(allowed, 20);
    now = start + 86_400_001;
    assert.equal(ask(), true);
  });

  it('does not count the number that was asked for last', () => {
    const memory: Memory = {};
    for (let time = 0; time < 10; time += 1) assert.equal(mayLookUp(memory, numberOf(1), rate, start + time), true);
    assert.equal(memory.lookups?.length, 1);
  });

  it('counts numbers that take turns', () => {
    const memory: Memory = {};
    const answers = [1, 2, 1, 2].map((index) => mayLookUp(memory, numberOf(index), rate, start));
    assert.deepEqual(answers, [true, true, true, false]);
  });
});
