import assert from 'node:assert/strict';
import type { Hub } from '../../src/handoff/hub.ts';
import { makeHubDelivery } from '../../src/handoff/hub-delivery.ts';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeAlarm } from '../../src/platform/time/clock.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { until } from '../support/until.ts';

describe('events to a hub', () => {
  let storage: Storage;
  let failed: string[];
  let lines: string[];
  beforeEach(async () => {
    storage = await openNewStorage();
    [failed, lines] = [[], []];
    await storage
      .of(makeHandoffStore)
      .add(
        { id: 'h1', conversation: 'c1', address: '{}', hub: 'event', reason: 'asked', language: 'en' },
        { type: 'requested', key: 'requested', data: {} },
      );
  });
  afterEach(() => storage.close());
  const deliveryTo = (deliver: NonNullable<Hub['deliver']>) => {
    const { clock } = storage;
    const store = storage.of(makeHandoffStore);
    return makeHubDelivery({
      hub: { name: 'event', deliver } as unknown as Hub,
      ...{ store, clock, alarm: makeAlarm(clock), shared: false, jitter: () => 0 },
      prove: async () => undefined,
      fail: (handoffId) => void failed.push(handoffId),
      undelivered: async () => {},
      placed: async () => {},
      log: makeLog('debug', { write: (line) => void lines.push(line) }),
    });
  };
  /** How often the event was tried; it is claimed. */
  const attempts = async () => (await storage.of(makeHandoffStore).claimEvents('event', 60_000, 1)).map((event) => event.attempts);

  it('that a stop gives back have not been tried', async () => {
    let begun = false;
    const delivery = deliveryTo(
      (_event, _handoff, _assertion, signal) =>
        new Promise((resolve) => {
          begun = true;
          signal.addEventListener('abort', () => resolve({ code: 'aborted' }));
        }),
    );
    delivery.wake(storage.clock.now());
    await until(() => begun, 'the attempt');
    await delivery.stop();
    assert.deepEqual(await attempts(), [0]);
  });

  it('are tried again after a while if the hub fails unexpectedly', async () => {
    let tries = 0;
    const delivery = deliveryTo(async () => {
      tries += 1;
      throw new TypeError('unforeseen');
    });
    delivery.wake(storage.clock.now());
    await until(() => tries === 2, 'the second try, a second later');
    await delivery.stop();
    const due = ((await storage.of(makeHandoffStore).nextEvent('event')) ?? 0) - storage.clock.now();
    assert.ok(due > 1_000 && due <= 2_000, `the third one follows in ${due} ms`);
    assert.match(lines.join(''), /"error":"TypeError".*an event did not reach its hub/);
  });

  it('are given up at last if it does so each time, and the customer need not wait', async () => {
    for (let tried = 0; tried < 10; tried += 1)
      for (const event of await storage.of(makeHandoffStore).claimEvents('event', 60_000, 1))
        await storage.of(makeHandoffStore).settleEvent(event, { again: 0, attempts: tried + 1 });
    const delivery = deliveryTo(() => Promise.reject(new TypeError('unforeseen')));
    delivery.wake(storage.clock.now());
    await until(() => failed.length === 1, 'that it is given up');
    await delivery.stop();
    assert.equal(await storage.of(makeHandoffStore).nextEvent('event'), undefined);
  });
});
