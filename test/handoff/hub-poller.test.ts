import assert from 'node:assert/strict';
import type { ActResult } from '../../src/handoff/agent-act.ts';
import type { Hub } from '../../src/handoff/hub.ts';
import { type HubPoller, makeHubPoller } from '../../src/handoff/hub-poller.ts';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { makeLog } from '../../src/platform/log.ts';
import { makeAlarm } from '../../src/platform/time/clock.ts';
import type { Storage } from '../../src/storage/index.ts';
import { openNewStorage } from '../support/data-dir.ts';
import { until } from '../support/until.ts';

const second = 1000;
const say = { act: { kind: 'say', id: 'm1', text: 'hello' }, upTo: 1 } as const;

describe('reading a hub', () => {
  let storage: Storage;
  let poller: HubPoller;
  let lines: string[];
  let givenUp: string[];
  /** The waits (ms) between polls. The database's clock cannot stand still, so none of them is waited for. */
  let waited: number[];
  beforeEach(async () => {
    storage = await openNewStorage();
    [lines, givenUp, waited] = [[], [], []];
    await storage.of(makeHandoffStore).add({ id: 'h1', conversation: 'c1', address: '{}', hub: 'hub', reason: 'asked', language: 'en' });
    await storage.of(makeHandoffStore).placed('h1', 'place', 0);
  });
  afterEach(async () => {
    await poller.stop();
    await storage.close();
  });

  const poll = (read: NonNullable<Hub['poll']>, most: number) => {
    const { clock } = storage;
    const handoffs = storage.of(makeHandoffStore);
    const queue: Parameters<typeof makeHubPoller>[0] = {
      ...{ clock, alarm: makeAlarm(clock), shared: false, jitter: () => 0 },
      hub: { name: 'hub', poll: read } as unknown as Hub,
      store: {
        ...handoffs,
        settlePoll: async (claimed, fate) => {
          if ('again' in fate) waited.push(fate.again / second);
          await handoffs.settlePoll(claimed, 'again' in fate ? { ...fate, again: waited.length < most ? 0 : 60 * second } : fate);
        },
      },
      pollGivenUp: (hub: string) => void givenUp.push(hub),
      log: makeLog('warn', { write: (line) => void lines.push(line) }),
    };
    poller = makeHubPoller(queue, async (): Promise<ActResult> => ({ done: true }));
    poller.wake();
  };
  const errors = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');

  it('comes ever less often while nothing is found, and soon again after something was', async () => {
    let reads = 0;
    poll(async () => (++reads === 3 ? [say] : []), 12);
    await until(() => waited.length === 12, 'the polls');
    assert.deepEqual(waited, [5, 10, 5, 5, 10, 20, 40, 80, 120, 120, 120, 120]);
    assert.deepEqual(lines, []);
  });

  it('goes on for ever while the handoff is open, although the hub cannot be read', async () => {
    poll(() => Promise.reject(new Error('away')), 9);
    await until(() => waited.length === 9, 'the polls');
    assert.deepEqual(waited, [5, 10, 20, 40, 80, 120, 120, 120, 120]);
    assert.deepEqual([errors(), givenUp, lines.length], [[], [], 9]);
  });

  it('is given up after the end of the handoff, as an error that is counted', async () => {
    await storage.of(makeHandoffStore).end('h1', 'finished');
    poll(() => Promise.reject(new Error('away')), 99);
    await until(async () => (await storage.of(makeHandoffStore).nextPoll('hub')) === undefined, 'the end');
    await poller.stop();
    assert.equal(waited.length, 6);
    assert.deepEqual([errors().map(({ code }) => code), givenUp], [['unread'], ['hub']]);
  });

  it('has not been tried if a stop cuts it off', async () => {
    let begun = false;
    poll((_, signal) => {
      begun = true;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    }, 99);
    await until(() => begun, 'the read');
    await poller.stop();
    const [claimed] = await storage.of(makeHandoffStore).claimPolls('hub', second, 1);
    assert.deepEqual([claimed?.attempts, lines], [0, []]);
  });
});
