import assert from 'node:assert/strict';
import sinon from 'sinon';
import { withTimeout } from '../../../src/platform/time/waits.ts';

describe('work with a deadline', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers();
  });
  afterEach(() => clock.restore());

  const work = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'done'));

  for (const [took, result] of [
    [99, 'done'],
    [101, 'late'],
  ] as const) {
    it(`answers "${result}" for work of ${took} ms under a deadline of 100 ms`, async () => {
      const ending = withTimeout(work(took), 100, () => 'late');
      await clock.tickAsync(200);
      assert.equal(await ending, result);
    });
  }

  it('throws what the deadline throws', async () => {
    const late = () => {
      throw new RangeError('late');
    };
    const ending = assert.rejects(withTimeout(work(101), 100, late), RangeError);
    await clock.tickAsync(200);
    await ending;
  });

  it('throws what the work throws, and leaves no timer behind', async () => {
    await assert.rejects(
      withTimeout(Promise.reject(new TypeError('broken')), 100, () => 'late'),
      TypeError,
    );
    assert.equal(clock.countTimers(), 0);
  });
});
