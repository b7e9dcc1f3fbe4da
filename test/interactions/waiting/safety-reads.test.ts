import assert from 'node:assert/strict';
import type { ServiceClient } from '../../../src/client/index.ts';
import type { EventFrame } from '../../../src/contract/index.ts';
import type { Interaction } from '../../../src/interactions/interaction.ts';
import type { EventsRequest } from '../../../src/interactions/ports.ts';
import { Watchers } from '../../../src/interactions/waiting/watchers.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { makeChance } from '../../faults/random.ts';
import { fakeTime } from '../../support/fake-time.ts';
import { paymentResult } from '../../support/service-samples.ts';

const minute = 60_000;
const finished: EventFrame = { id: 'e', type: 'task.succeeded', timestamp: '' };

describe('reads of results while sockets are up', () => {
  let time: ReturnType<typeof fakeTime>;
  let watchers: Watchers;
  let sockets: Map<string, EventsRequest>;
  let finals: Set<string>;
  let reads: number;
  let decided: string[];
  const idOf = (index: number) => `request-${index}`;

  const watch = async (count: number, from = 0) => {
    for (let index = from; index < from + count; index += 1) {
      const id = idOf(index);
      watchers.watch({ id, epoch: 1, app: 'payments', deadline: 1e15, requestId: id, wsToken: id } as Interaction);
    }
    for (const socket of sockets.values()) socket.onUp();
    await time.time.tickAsync(2 * minute);
  };
  /** Ends so many, which their events report, each more than once. */
  const report = async (from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      finals.add(idOf(index));
      for (let time = 0; time < 2; time += 1) sockets.get(idOf(index))?.onEvent('task.succeeded', finished);
    }
    await time.time.tickAsync(1000);
  };
  const readsIn = async (ms: number) => {
    reads = 0;
    await time.time.tickAsync(ms);
    return reads;
  };

  beforeEach(() => {
    time = fakeTime(0);
    [sockets, finals, reads, decided] = [new Map(), new Set(), 0, []];
    const random = makeChance(7).next;
    const results = {
      get: async (id: string) => {
        reads += 1;
        return finals.has(id) ? { ...paymentResult, id } : undefined;
      },
    };
    const service = {
      client: { results } as unknown as ServiceClient,
      events: (request: EventsRequest) => {
        sockets.set(request.wsToken, request);
        return { close: () => sockets.delete(request.wsToken) };
      },
      clock: { now: () => Date.now() },
      random,
      log: makeLog('silent'),
    };
    watchers = new Watchers(service, {
      decide: async (claim) => {
        decided.push(claim.id);
        watchers.ended(claim);
      },
      expire: async () => {},
      abandon: async () => {},
      advance: async () => {},
    });
  });
  afterEach(async () => {
    watchers.stopAll();
    await watchers.settled();
    time.restore();
  });

  const about = (found: number, expected: number) =>
    assert.ok(Math.abs(found - expected) < expected * 0.2, `${found} reads instead of about ${expected}`);

  it('come every minute for each, until events have been seen to arrive', async () => {
    await watch(3_000);
    await report(0, 199);
    about(await readsIn(minute), 2_801);
    await report(199, 200);
    about(await readsIn(minute), 1_500);
  });

  it('come no more often because the first read over a new socket finds an end', async () => {
    await watch(3_000);
    await report(0, 200);
    finals.add(idOf(3_000));
    await watch(1, 3_000);
    assert.equal(decided.length, 201);
    about(await readsIn(minute), 1_500);
  });

  it('come every minute for each if no more than 1,500 wait', async () => {
    await watch(1_700);
    await report(0, 200);
    about(await readsIn(minute), 1_500);
  });

  it('find an end that no event reported, and come every minute for each from then on', async () => {
    await watch(6_200);
    await report(0, 200);
    for (let index = 200; index < 4_200; index += 1) finals.add(idOf(index));
    await time.time.tickAsync(2 * minute);
    assert.equal(decided.length, 4_200);
    about(await readsIn(minute), 2_000);
  });
});
