import assert from 'node:assert/strict';
import type { ActResult, AgentAct } from '../../src/handoff/agent-act.ts';
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
  /** How soon (s) a place is read at the latest. */
  let placed: number[];
  beforeEach(async () => {
    storage = await openNewStorage();
    [lines, givenUp, waited, placed] = [[], [], [], []];
    await storage.of(makeHandoffStore).add({ id: 'h1', conversation: 'c1', address: '{}', hub: 'hub', reason: 'asked', language: 'en' });
    await storage.of(makeHandoffStore).placed('h1', 'place', 0);
  });
  afterEach(async () => {
    await poller.stop();
    await storage.close();
  });

  /** What agents were told of: the act, and why it was refused. */
  let refusals: string[];
  const poll = (read: NonNullable<Hub['poll']>, most: number, act = async (_act: AgentAct): Promise<ActResult> => ({ done: true })) => {
    const tellRefused: Hub['tellRefused'] = async (_handoff, step, why) => void refusals.push(`${step.act.kind} ${why}`);
    refusals = [];
    const { clock } = storage;
    const handoffs = storage.of(makeHandoffStore);
    const queue: Parameters<typeof makeHubPoller>[0] = {
      ...{ clock, alarm: makeAlarm(clock), shared: false, jitter: () => 0 },
      hub: { name: 'hub', poll: read, tellRefused } as unknown as Hub,
      store: {
        ...handoffs,
        placed: async (id, place, wait) => {
          placed.push(wait / second);
          await handoffs.placed(id, place, wait);
        },
        settlePoll: async (claimed, fate) => {
          if ('again' in fate) waited.push(fate.again / second);
          await handoffs.settlePoll(claimed, 'again' in fate ? { ...fate, again: waited.length < most ? 0 : 60 * second } : fate);
        },
      },
      pollGivenUp: (hub: string) => void givenUp.push(hub),
      log: makeLog('warn', { write: (line) => void lines.push(line) }),
    };
    poller = makeHubPoller(queue, (_handoff, what) => act(what));
    poller.wake();
  };
  const errors = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');

  it('comes ever less often while nothing is found, and soon again after something was', async () => {
    let reads = 0;
    // An end has no number, up to which the agents' messages were read.
    poll(async () => (++reads === 3 ? [say, { act: { kind: 'return' } }] : []), 12);
    await until(() => waited.length === 12, 'the polls');
    assert.deepEqual(waited, [5, 10, 5, 5, 10, 20, 40, 80, 120, 120, 120, 120]);
    assert.deepEqual(lines, []);
  });

  it('comes within a second where the hub has just given the handoff a place: hints from before are lost', async () => {
    poll(async () => [], 1);
    const { place, ...unplaced } = (await storage.of(makeHandoffStore).get('h1')) ?? assert.fail();
    assert.ok(place);
    for (const handoff of [unplaced, { ...unplaced, place }]) await poller.placed(handoff, place);
    assert.ok((placed[0] ?? 9) < 1 && (placed[1] ?? 0) > 1, placed.join());
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

  it('lets agents know which words and which end did not reach the customer, and of nothing else', async () => {
    const refused: Readonly<Record<string, ActResult>> = {
      ...{ say: { refused: 'over' }, return: { refused: 'over' } },
      ...{ accept: { refused: 'taken' }, finish: { refused: 'chat_gone' } },
    };
    const acts: AgentAct[] = [{ kind: 'typing' }, say.act, { kind: 'return' }, { kind: 'accept', agent: { id: 'm' } }, { kind: 'finish' }];
    poll(
      async () => acts.map((act) => ({ act })),
      1,
      async ({ kind }) => refused[kind] ?? { done: true },
    );
    await until(() => waited.length === 1, 'the poll');
    assert.deepEqual(refusals, ['say over', 'finish chat_gone']);
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
