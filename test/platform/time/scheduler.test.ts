import assert from 'node:assert/strict';
import sinon from 'sinon';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { makeAlarm } from '../../../src/platform/time/clock.ts';
import { makeScheduler } from '../../../src/platform/time/scheduler.ts';

describe('what is due on a database that replicas share', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ now: 1_000_000 });
  });
  afterEach(() => clock.restore());

  /** A scheduler whose database is `due`, and what it has asked. */
  const scheduled = (due: number[]) => {
    const asked: string[] = [];
    const time = { now: () => Date.now() };
    const scheduler = makeScheduler({
      ...{ component: 'test', clock: time, alarm: makeAlarm(time), log: makeLog('silent'), shared: true },
      run: async (now) => {
        asked.push('run');
        const done = due.filter((at) => at <= now);
        due.splice(0, due.length, ...due.filter((at) => at > now));
        return done.length;
      },
      nextDue: async () => {
        asked.push('next');
        return due.length > 0 ? Math.min(...due) : undefined;
      },
    });
    return { scheduler, asked };
  };

  it('is looked for with one statement each two seconds while nothing is due', async () => {
    const { scheduler, asked } = scheduled([]);
    scheduler.wake(Date.now());
    await scheduler.settled();
    assert.deepEqual(asked.splice(0), ['run', 'next']);
    await clock.tickAsync(6_000);
    assert.deepEqual(asked, ['next', 'next', 'next']);
    await scheduler.stop();
  });

  it('is done within two seconds, though another replica stored it and never said so', async () => {
    const due: number[] = [];
    const { scheduler, asked } = scheduled(due);
    scheduler.wake(Date.now());
    await scheduler.settled();
    asked.splice(0);
    due.push(Date.now());
    await clock.tickAsync(1_999);
    assert.deepEqual(asked, []);
    await clock.tickAsync(1);
    assert.deepEqual(asked, ['next', 'run', 'next']);
    assert.deepEqual(due, []);
    await scheduler.stop();
  });

  it('is done at its time once a look has found it', async () => {
    const due: number[] = [];
    const { scheduler, asked } = scheduled(due);
    scheduler.wake(Date.now());
    await scheduler.settled();
    asked.splice(0);
    due.push(Date.now() + 3_000);
    await clock.tickAsync(2_999);
    assert.deepEqual(asked, ['next']);
    await clock.tickAsync(1);
    assert.deepEqual(asked, ['next', 'run', 'next']);
    await scheduler.stop();
  });

  for (const [away, level] of [
    [new DatabaseUnavailable(new Error('no connection')), 'warn'],
    [new Error('syntax'), 'error'],
  ] as const)
    it(`waits while it cannot be done, which is logged as ${level}: ${away.name}`, async () => {
      const lines: string[] = [];
      const time = { now: () => Date.now() };
      let broken = true;
      const scheduler = makeScheduler({
        ...{
          component: 'test',
          clock: time,
          alarm: makeAlarm(time),
          log: makeLog('info', { write: (line) => void lines.push(line) }),
          shared: true,
        },
        run: async () => {
          if (broken) throw away;
          return 0;
        },
        nextDue: async () => undefined,
      });
      scheduler.wake(Date.now());
      await clock.tickAsync(10);
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).level),
        [level],
      );
      broken = false;
      await clock.tickAsync(10_000);
      assert.equal(lines.length, 1);
      await scheduler.stop();
    });
});
