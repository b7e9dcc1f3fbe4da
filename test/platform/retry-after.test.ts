import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maxRetryAfter, retryAfter } from '../../src/platform/outgoing/exchange.ts';

describe('Retry-After', () => {
  const now = Date.parse('2026-11-20T08:30:00.000Z');
  const at = (milliseconds: number) => new Date(milliseconds).toUTCString();

  const unreadable = [
    '',
    ' ',
    '-5',
    '1.5',
    '1e3',
    'soon',
    '2026-11-20',
    '2026-11-20T08:30:00Z',
    'Fri, 99 Foo 2026 08:30:00 GMT',
    '5 seconds',
  ];
  for (const value of unreadable) {
    it(`is ignored if it is "${value}"`, () => assert.equal(retryAfter(value, undefined, now), undefined));
  }
  it('may be absent', () => assert.equal(retryAfter(undefined, undefined, now), undefined));

  it('is the seconds it names, up to five minutes', () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        assert.equal(retryAfter(String(seconds), undefined, now), Math.min(seconds * 1000, maxRetryAfter));
      }),
    );
  });

  it('is bounded however many digits it has', () => assert.equal(retryAfter('9'.repeat(400), undefined, now), maxRetryAfter));

  it('is the time until its date, counted from the answer’s date if there is one', () => {
    const instants = fc.integer({ min: -600, max: 600 }).map((seconds) => now + seconds * 1000);
    fc.assert(
      fc.property(instants, fc.option(instants, { nil: undefined }), (until, date) => {
        const expected = Math.min(Math.max(until - (date ?? now), 0), maxRetryAfter);
        assert.equal(retryAfter(at(until), date === undefined ? undefined : at(date), now), expected);
      }),
    );
  });

  it('is the same in the older date formats that begin with a day', () => {
    assert.equal(retryAfter('Friday, 20-Nov-26 08:30:09 GMT', undefined, now), 9_000);
  });

  it('is nothing or a wait within bounds, whatever it holds', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    );
    fc.assert(
      fc.property(anything, fc.option(anything, { nil: undefined }), (value, date) => {
        const wait = retryAfter(value, date, now);
        assert.ok(wait === undefined || (wait >= 0 && wait <= maxRetryAfter));
      }),
      { numRuns: 1_000 },
    );
  });
});
