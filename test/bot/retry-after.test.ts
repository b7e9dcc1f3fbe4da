import assert from 'node:assert/strict';
import { retryAfterMs } from '../../src/bot/retry-after.ts';

describe('Retry-After', () => {
  const clock = { now: () => Date.parse('2026-11-20T08:00:00Z') };
  const table: [string | string[] | undefined, number | undefined][] = [
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    [['3', '9'], 3000],
    ['Fri, 20 Nov 2026 08:00:20 GMT', 20_000],
    ['Fri, 20 Nov 2026 07:00:00 GMT', 0],
    ['999999', 300_000],
    ['Sat, 21 Nov 2026 08:00:00 GMT', 300_000],
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['99999999999999999999', undefined],
  ];
  for (const [value, expected] of table) {
    it(`reads ${JSON.stringify(value)} as ${expected}`, () => assert.equal(retryAfterMs(value, clock), expected));
  }
});
