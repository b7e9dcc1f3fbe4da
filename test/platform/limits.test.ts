import assert from 'node:assert/strict';
import type sinon from 'sinon';
import { HttpProblem } from '../../src/platform/http/http-problem.ts';
import { limitFailures, limitRate, makeLimit, roomAt } from '../../src/platform/limits.ts';
import { failureOf } from '../support/failure-of.ts';
import { fakeTime } from '../support/fake-time.ts';

describe('a limit', () => {
  let time: sinon.SinonFakeTimers;
  let restore: () => void;
  beforeEach(() => {
    ({ time, restore } = fakeTime(1_000_000));
  });
  afterEach(() => restore());

  it('admits as many as it has points, under each name, also if all come at once, until its seconds are over', async () => {
    const { admits } = makeLimit({ points: 3, seconds: 10 });
    const admitted = async (name: string) =>
      (await Promise.all(Array.from({ length: 10 }, () => admits(name)))).filter((one) => one).length;
    assert.deepEqual([await admitted('a'), await admitted('b')], [3, 3]);
    await time.tickAsync(9_999);
    assert.equal(await admitted('a'), 0);
    await time.tickAsync(2);
    assert.equal(await admitted('a'), 3);
  });

  it('takes a point of each of its rates, or of none, also if several come at once', async () => {
    const limit = makeLimit({ points: 4, seconds: 600 }, { points: 6, seconds: 3600 });
    const waits = async (count: number) => {
      const taken = await Promise.all(Array.from({ length: count }, () => limit.take('a')));
      return taken.map(({ waitMs }) => waitMs);
    };
    assert.deepEqual(await waits(6), [0, 0, 0, 0, 600_000, 600_000]);
    await time.tickAsync(600_001);
    assert.deepEqual(await waits(4), [0, 0, 2_999_999, 2_999_999]);
    assert.deepEqual([await limit.waitOf('a'), await limit.waitOf('b')], [2_999_999, 0]);
    await limit.giveBack('a');
    assert.deepEqual(await waits(2), [0, 2_999_999]);
  });

  it('answers 429 and says when to come back', async () => {
    const take = limitRate({ points: 10, seconds: 60 }, 'too_many', 'Wait.');
    await take('a', 8);
    await time.tickAsync(29_500);
    const { code, headers, status } = await failureOf(take('a', 3), HttpProblem);
    assert.deepEqual([code, headers['Retry-After'], status], ['too_many', '31', 429]);
    // A smaller one still fits.
    await take('a', 2);
  });

  it('of failures counts nobody who succeeds', async () => {
    const { countFailure, refuseFailing } = limitFailures({ points: 2, seconds: 60 }, 'too_many', 'Wait.');
    for (let times = 0; times < 9; times += 1) await refuseFailing('a');
    await countFailure('a');
    await Promise.all([refuseFailing('a'), refuseFailing('a')]);
    await countFailure('a');
    assert.equal((await failureOf(refuseFailing('a'), HttpProblem)).status, 429);
    await refuseFailing('b');
  });
});

describe('the pace of several rates', () => {
  const rates = [
    { points: 2, seconds: 1 },
    { points: 3, seconds: 10 },
  ];
  const rows: [readonly number[], number][] = [
    [[], 0],
    [[5000], 0],
    [[5000, 5100], 6000],
    [[5000, 5100, 6000], 15_000],
    [[1, 5000, 5100, 6000], 15_000],
  ];
  for (const [times, expected] of rows)
    it(`has room at ${expected} after ${times.join(', ') || 'nothing'}`, () => assert.equal(roomAt(times, rates), expected));

  it('never has room without points', () => {
    assert.equal(roomAt([], [{ points: 0, seconds: 1 }]), Number.POSITIVE_INFINITY);
  });
});
