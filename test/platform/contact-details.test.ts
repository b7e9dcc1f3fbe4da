import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { holdsContactDetails } from '../../src/platform/contact-details.ts';
import { harmlessWords, hostileWords } from '../support/hostile-words.ts';

describe('an address or a phone number', () => {
  for (const text of hostileWords) it(`is in “${text}”`, () => assert.equal(holdsContactDetails(text), true));
  for (const text of harmlessWords) it(`is not in “${text}”`, () => assert.equal(holdsContactDetails(text), false));

  it('is looked for in linear time', () => {
    for (const piece of ['a.', '1 ', '1,', 'a ', 'a . ', 'a dot ', '( at', 'DE89', '1.1.', '+', '〒', '12:', 'a  ']) {
      const before = performance.now();
      holdsContactDetails(piece.repeat(20_000 / piece.length));
      assert.ok(performance.now() - before < 500, piece);
    }
  });
});
