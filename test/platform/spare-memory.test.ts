import assert from 'node:assert/strict';
import sinon from 'sinon';
import { makeLog } from '../../src/platform/log.ts';
import { lookEvery, spareMemory } from '../../src/platform/spare-memory.ts';

const megabyte = 2 ** 20;
/** CPU time (µs) between two looks that is just too much to count as nothing to do. */
const busy = lookEvery * 100;

describe('unused memory', () => {
  let clock: sinon.SinonFakeTimers;
  let used: number;
  let resident: number;
  let collected: number;
  const looks = async (count: number, each = 0) => {
    for (let look = 0; look < count; look += 1) {
      used += each;
      await clock.tickAsync(lookEvery);
    }
  };

  beforeEach(() => {
    clock = sinon.useFakeTimers();
    [used, resident, collected] = [0, 200 * megabyte, 0];
    const collect = async () => {
      collected += 1;
      resident = 150 * megabyte;
    };
    spareMemory(makeLog('silent'), { cpu: () => used, resident: () => resident, collect });
  });
  afterEach(() => clock.restore());

  it('is released once, after three checks in a row without work', async () => {
    await looks(2, busy - 1);
    assert.equal(collected, 0);
    await looks(1, busy - 1);
    assert.equal(collected, 1);
    await looks(10);
    assert.equal(collected, 1);
  });

  it('is not released while there is work', async () => {
    await looks(2);
    await looks(1, busy);
    await looks(2);
    assert.equal(collected, 0);
  });

  for (const [when, wait, growth] of [
    ['within five minutes', 145, 96],
    ['after five minutes', 151, 32],
  ] as const) {
    it(`is released again ${when} if it has grown by ${growth} MB, and not by less`, async () => {
      await looks(3);
      resident += growth * megabyte - 1;
      await looks(wait);
      assert.equal(collected, 1);
      resident += 1;
      await looks(1);
      assert.equal(collected, 2);
    });
  }

  it('is not tried again once it has failed', async () => {
    let asked = 0;
    const collect = () => {
      asked += 1;
      return Promise.reject(new Error('no inspector'));
    };
    spareMemory(makeLog('silent'), { cpu: () => 0, resident: () => 200 * megabyte, collect });
    await looks(6);
    assert.equal(asked, 1);
  });
});

describe('the memory of this process', () => {
  it('is released by V8 itself', async () => {
    const clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const complaints = sinon.spy();
    try {
      spareMemory({ ...makeLog('silent'), debug: complaints } as ReturnType<typeof makeLog>);
      let garbage: unknown[] | undefined = Array.from({ length: 200_000 }, (_, index) => ({ index }));
      const before = process.memoryUsage().heapUsed;
      assert.equal(garbage.length, 200_000);
      garbage = undefined;
      clock.tick(3 * lookEvery);
      const end = performance.now() + 10_000;
      while (process.memoryUsage().heapUsed >= before && performance.now() < end) await new Promise(setImmediate);
      assert.ok(process.memoryUsage().heapUsed < before);
      sinon.assert.notCalled(complaints);
    } finally {
      clock.restore();
    }
  });
});
