import assert from 'node:assert/strict';
import { Waits } from '../../src/programs/waits.ts';
import { failureOf } from '../support/failure-of.ts';
import { type FakeTime, fakeTime } from '../support/fake-time.ts';

describe('a program that waits', () => {
  let clock: FakeTime;
  let waits: Waits;
  beforeEach(() => {
    clock = fakeTime();
    waits = new Waits();
  });
  afterEach(() => clock.restore());

  const never = new AbortController().signal;
  /** What is seen changes when the test says so. */
  const watch = (ms: number, { program = 'key', signal = never } = {}) => {
    let state = 'pending';
    let looks = 0;
    const look = async () => {
      looks += 1;
      return state;
    };
    let answer: string | undefined;
    const done = waits
      .until({ id: 'it', program, ms, signal }, look, (seen) => seen === 'ended')
      .then((seen) => {
        answer = seen;
      });
    return {
      done,
      answer: () => answer,
      looks: () => looks,
      end: () => {
        state = 'ended';
      },
    };
  };

  it('hears at once what happens in this process', async () => {
    const wait = watch(50_000);
    await clock.time.tickAsync(400);
    wait.end();
    waits.wake('it');
    await wait.done;
    assert.deepEqual([wait.answer(), wait.looks(), clock.time.now], ['ended', 2, 400]);
  });

  it('hears it at once also when another has stopped waiting for the same', async () => {
    const gone = new AbortController();
    const [leaving, staying] = [watch(50_000, { signal: gone.signal }), watch(50_000)];
    await clock.time.tickAsync(400);
    gone.abort();
    await leaving.done;
    staying.end();
    waits.wake('it');
    await clock.time.tickAsync(1);
    assert.equal(staying.answer(), 'ended');
  });

  it('sees within a second what happens in another', async () => {
    const wait = watch(50_000);
    await clock.time.tickAsync(400);
    wait.end();
    await clock.time.tickAsync(599);
    assert.equal(wait.answer(), undefined);
    await clock.time.tickAsync(1);
    assert.equal(wait.answer(), 'ended');
  });

  it('gets the current state at its timeout, and not before', async () => {
    const wait = watch(50_000);
    await clock.time.tickAsync(49_999);
    assert.equal(wait.answer(), undefined);
    await clock.time.tickAsync(1);
    assert.equal(wait.answer(), 'pending');
  });

  it('stops waiting when it disconnects, and when the bot stops', async () => {
    const gone = new AbortController();
    const [leaving, staying] = [watch(50_000, { signal: gone.signal }), watch(50_000)];
    await clock.time.tickAsync(10);
    gone.abort();
    await leaving.done;
    assert.deepEqual([leaving.answer(), staying.answer()], ['pending', undefined]);
    waits.close();
    await staying.done;
    assert.equal(staying.answer(), 'pending');
  });

  it('may have 200 waits at a time, and other programs theirs', async () => {
    const all = Array.from({ length: 200 }, () => watch(1_000));
    const fault = (await failureOf(watch(1_000).done, Error)) as Error & { code?: string };
    assert.equal(fault.code, 'too_many_waits');
    all.push(watch(1_000, { program: 'another' }));
    await clock.time.tickAsync(1_000);
    await Promise.all(all.map(({ done }) => done));
    const again = watch(0);
    await again.done;
    assert.equal(again.answer(), 'pending');
  });
});
