import assert from 'node:assert/strict';
import { makeBreakers } from '../../src/client/breaker.ts';
import { ServiceError, TransportError } from '../../src/client/index.ts';
import { breaker as usualBreaker } from '../../src/compose/bot/limits.ts';
import type { Interactions } from '../../src/interactions/index.ts';
import { type InteractionsUnderTest, plan, start, startInteractions } from '../support/interactions-under-test.ts';
import { paymentResult } from '../support/service-samples.ts';

const count = 300;
const outage = 60_000;

describe('an outcome from during an outage of the service', () => {
  let test: InteractionsUnderTest;
  let life: Interactions;
  /** Whether the service is there, and when it came back. */
  let there = true;
  let back = 0;
  beforeEach(async () => {
    test = await startInteractions();
    there = true;
    back = 0;
    let seed = 20_261_121;
    test.jitter = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed / 2 ** 31;
    };
    const { interactions } = test.storage;
    for (let index = 0; index < count; index += 1) {
      const id = `waits-${String(index).padStart(3, '0')}`;
      const intent = await interactions.record({ ...plan, id, createdAt: start, deadline: start + 1_800_000 });
      await interactions.apply(intent, { kind: 'accepted', requestId: paymentResult.id, wsToken: `token-${id}` });
    }
    await interactions.release();
    life = test.make();
  });
  afterEach(() => test.close());

  const toldAt: number[] = [];
  const begin = async (connect: () => boolean) => {
    toldAt.length = 0;
    test.deliver = async () => {
      toldAt.push(Date.now());
    };
    // A handshake that takes 20 ms, and is refused while the service is away.
    test.onSocket = (socket) => {
      setTimeout(() => {
        if (socket.closed) return;
        if (connect()) socket.onUp();
        else socket.onDown('unreachable');
      }, 20);
    };
    await test.open(life);
    await test.time.tickAsync(5_000);
    assert.equal(life.watching().waiting, count);
  };
  const goAway = async () => {
    there = false;
    for (const socket of test.sockets) if (!socket.closed) socket.onDown('lost');
    await test.time.tickAsync(outage);
    there = true;
    back = Date.now();
  };
  const lastTold = () => (Math.max(...toldAt) - back) / 1000;

  const answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return back > 0 && there ? paymentResult : undefined;
  };

  it('reaches 300 waiting chats within 10 s of its return, although every call went through a breaker', async () => {
    const breaker = makeBreakers({ failures: 8, ...usualBreaker }, { now: () => Date.now() })('results.get');
    test.result = async () => {
      if (!breaker.admits()) throw new TransportError('results.get', 'circuit_open', { sent: false });
      if (!there) {
        breaker.failed();
        throw new TransportError('results.get', 'connect', { sent: false });
      }
      breaker.succeeded();
      return answer();
    };
    await begin(() => there);
    await goAway();
    await test.time.tickAsync(10_000);
    assert.equal(toldAt.length, count);
    assert.ok(lastTold() <= 10, `the last was told after ${lastTold()} s`);
  });

  it('is delivered within 10 s although reads from before its return never answer', async () => {
    test.result = async (signal) => {
      if (there) return answer();
      // As the client has it: nothing comes, and 10 s later it gives up.
      return new Promise((_, reject) => {
        const fail = () => reject(new TransportError('results.get', 'timeout', { sent: true }));
        setTimeout(fail, 10_000);
        signal?.addEventListener('abort', fail);
      });
    };
    await begin(() => there);
    await goAway();
    await test.time.tickAsync(10_000);
    assert.equal(toldAt.length, count);
    assert.ok(lastTold() <= 10, `the last was told after ${lastTold()} s`);
  });

  it('is delivered within 10 s although sockets return before results can be read', async () => {
    test.result = async () => {
      if (!there) throw new ServiceError('results.get', 503);
      return answer();
    };
    await begin(() => true);
    await goAway();
    await test.time.tickAsync(10_000);
    assert.equal(toldAt.length, count);
    assert.ok(lastTold() <= 10, `the last was told after ${lastTold()} s`);
  });

  it('is not read again and again once a read after the connect has answered "not yet"', async () => {
    test.result = async () => {
      if (!there) throw new ServiceError('results.get', 503);
      return undefined;
    };
    await begin(() => true);
    await goAway();
    await test.time.tickAsync(10_000);
    const { length } = test.reads;
    await test.time.tickAsync(15_000);
    assert.ok(test.reads.length - length < count / 10, `${test.reads.length - length} reads within 15 s`);
  });
});
