import assert from 'node:assert/strict';
import { makeDispatch } from '../../src/handoff/dispatch.ts';
import type { Hub } from '../../src/handoff/hub.ts';
import { makeAlarm } from '../../src/platform/alarm.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { HandoffRecord } from '../../src/storage/handoff-store.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { until } from '../support/until.ts';

describe('letters to a hub', () => {
  let storage: Storage;
  let failed: HandoffRecord[];
  let lines: string[];
  beforeEach(async () => {
    storage = await openNewStorage();
    [failed, lines] = [[], []];
    await storage.handoffs.add(
      { id: 'h1', conversation: 'c1', address: '{}', hub: 'event', reason: 'asked', language: 'en' },
      { type: 'requested', key: 'requested', data: {} },
    );
  });
  afterEach(() => storage.close());
  const dispatchTo = (bring: NonNullable<Hub['bring']>) => {
    const { clock, handoffs: store } = storage;
    return makeDispatch({
      hub: { name: 'event', bring } as unknown as Hub,
      ...{ store, clock, alarm: makeAlarm(clock), shared: false, random: () => 0 },
      prove: async () => undefined,
      fail: (handoff) => void failed.push(handoff),
      undelivered: async () => {},
      placed: async () => {},
      log: makeLog('debug', { write: (line) => void lines.push(line) }),
    });
  };
  /** How often the letter was tried; it is claimed. */
  const attempts = async () => (await storage.handoffs.claimLetters('event', 60_000, 1)).map((letter) => letter.attempts);

  it('that a stop gives back have not been tried', async () => {
    let begun = false;
    const dispatch = dispatchTo(
      (_letter, _handoff, _assertion, signal) =>
        new Promise((resolve) => {
          begun = true;
          signal.addEventListener('abort', () => resolve({ arrived: false, code: 'aborted', gone: false, retryAfterMs: 0 }));
        }),
    );
    dispatch.wake(storage.clock.now());
    await until(() => begun, 'the attempt');
    await dispatch.stop();
    assert.deepEqual(await attempts(), [0]);
  });

  it('are tried again after a while if the hub fails unexpectedly', async () => {
    let tries = 0;
    const dispatch = dispatchTo(async () => {
      tries += 1;
      throw new TypeError('unforeseen');
    });
    dispatch.wake(storage.clock.now());
    await until(() => tries === 2, 'the second try, a second later');
    await dispatch.stop();
    const due = ((await storage.handoffs.nextLetter('event')) ?? 0) - storage.clock.now();
    assert.ok(due > 1_000 && due <= 2_000, `the third one follows in ${due} ms`);
    assert.match(lines.join(''), /"error":"TypeError".*for an unknown reason/);
  });

  it('are given up at last if it does so each time, and the customer need not wait', async () => {
    for (let tried = 0; tried < 10; tried += 1)
      for (const letter of await storage.handoffs.claimLetters('event', 60_000, 1))
        await storage.handoffs.settleLetter(letter, { again: 0 });
    const dispatch = dispatchTo(() => Promise.reject(new TypeError('unforeseen')));
    dispatch.wake(storage.clock.now());
    await until(() => failed.length === 1, 'that it is given up');
    await dispatch.stop();
    assert.equal(await storage.handoffs.nextLetter('event'), undefined);
  });
});
