import assert from 'node:assert/strict';
import { type SinonFakeTimers, useFakeTimers } from 'sinon';
import { makeMovableTime } from '../../../src/platform/time/movable-time.ts';

const [minute, hour] = [60_000, 3_600_000];

describe('a clock that can be set ahead', () => {
  let timers: SinonFakeTimers;
  beforeEach(() => {
    timers = useFakeTimers({ now: 1000 });
  });
  afterEach(() => timers.restore());

  it('continues from there', () => {
    const { ahead, advance, clock } = makeMovableTime();
    assert.deepEqual([clock.now(), ahead()], [1000, 0]);
    advance(hour);
    timers.tick(500);
    assert.deepEqual([clock.now(), ahead()], [1500 + hour, hour]);
    advance(minute);
    assert.equal(ahead(), hour + minute);
  });

  it('fires timers that are due then, once, and others at their time', () => {
    const { advance, alarm } = makeMovableTime();
    const rung: string[] = [];
    for (const [name, at] of Object.entries({ before: minute, at: hour, after: hour + 1 })) alarm.at(1000 + at, () => void rung.push(name));
    const cancel = alarm.at(1000 + minute, () => void rung.push('never'));
    cancel();
    advance(hour);
    assert.deepEqual(rung, []);
    timers.tick(0);
    assert.deepEqual(rung, ['before', 'at']);
    timers.tick(1);
    assert.deepEqual(rung, ['before', 'at', 'after']);
    advance(hour);
    timers.tick(hour);
    assert.equal(rung.length, 3);
  });
});
