import assert from 'node:assert/strict';
import { randomBytes } from '../../src/platform/random-bytes.ts';

describe('random bytes', () => {
  it('are as many as asked for, and never the same, however many were fetched at once', () => {
    const seen = new Set<string>();
    const sizes = [12, 24, 64, 256, 13];
    for (let time = 0; time < 2000; time += 1) {
      const size = sizes[time % sizes.length] as number;
      const bytes = randomBytes(size);
      assert.equal(bytes.length, size);
      assert.ok(bytes.some((byte) => byte !== 0));
      seen.add(bytes.toString('hex'));
    }
    assert.equal(seen.size, 2000);
  });

  it('stay unchanged once returned', () => {
    const first = randomBytes(24);
    const before = first.toString('hex');
    for (let time = 0; time < 1000; time += 1) randomBytes(24);
    assert.equal(first.toString('hex'), before);
  });
});
