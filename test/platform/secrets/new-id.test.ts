import assert from 'node:assert/strict';
import { decodeTime } from 'ulid';
import { makeOrderedNewId, newUlid } from '../../../src/platform/secrets/new-id.ts';

describe('identifiers', () => {
  it('are ULIDs of now, and never the same', () => {
    const before = Date.now();
    const ids = Array.from({ length: 20_000 }, () => newUlid());
    for (const id of ids) assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(decodeTime(ids[0] as string) >= before && decodeTime(ids.at(-1) as string) <= Date.now());
  });

  it('use every letter in every place alike', () => {
    const count = 32_000;
    const seen = Array.from({ length: 16 }, () => new Map<string, number>());
    for (let made = 0; made < count; made += 1)
      for (const [place, letter] of [...newUlid().slice(10)].entries()) seen[place]?.set(letter, (seen[place].get(letter) ?? 0) + 1);
    for (const letters of seen) {
      assert.equal(letters.size, 32);
      // Each 1,000 times on average; six standard deviations are 190.
      for (const times of letters.values()) assert.ok(Math.abs(times - count / 32) < 190, `${times}`);
    }
  });

  it('sort in the order of creation if requested, also within one instant', () => {
    const newId = makeOrderedNewId();
    const ids = Array.from({ length: 5_000 }, (_, index) => newId(1_700_000_000_000 + Math.floor(index / 1000)));
    assert.deepEqual([...ids].sort(), ids);
    assert.equal(new Set(ids).size, ids.length);
  });
});
