import assert from 'node:assert/strict';
import type { Delivery, Handover, Message } from '../../../src/service/index.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { statement } from '../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

onEachDatabase('handing a message over', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  let messages: Message[];
  let next: () => Promise<Handover>;
  const delivery: Delivery = {
    deliver: (message) => {
      messages.push(message);
      return next();
    },
  };
  beforeEach(async () => {
    time = makeTestTime();
    messages = [];
    next = async () => ({ accepted: true });
    service = await startTestService({ clock: time.clock, alarm: time.alarm, delivery, limits: { resendCooldownsMs: [0] } });
  });
  afterEach(() => service.close());

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = async () => (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json.requestId as string;
  const record = async (id: string) => (await service.call('GET', `/requests/${id}`)).json as { state: string; events: { type: string }[] };

  it('is recorded as sent', async () => {
    const id = await send();
    await advance(0);
    assert.equal(messages.length, 1);
    assert.equal(messages[0]?.to, '+12025550102');
    assert.deepEqual(
      (await record(id)).events.map(({ type }) => type),
      ['task.sent'],
    );
  });

  const troubles: [string, () => Promise<Handover>][] = [
    ['a refusal', async () => ({ accepted: false, final: false, code: 'busy' })],
    ['a fault', () => Promise.reject(new TypeError('gateway'))],
  ];
  for (const [what, trouble] of troubles) {
    it(`is repeated after ${what}, with the same message, and only recorded once it worked`, async () => {
      next = trouble;
      const id = await send();
      await advance(0);
      assert.deepEqual((await record(id)).events, []);
      next = async () => ({ accepted: true });
      await advance(10_000);
      assert.equal(messages.length, 2);
      assert.deepEqual(messages[0], messages[1]);
      assert.equal((await record(id)).events.length, 1);
    });

    it(`fails the request after nothing but ${what}`, async () => {
      next = trouble;
      const id = await send();
      await advance(10 * 60_000);
      assert.equal(messages.length, 6);
      assert.equal((await record(id)).state, 'failure');
    });
  }

  it('waits as long as the gateway asks', async () => {
    next = async () => ({ accepted: false, final: false, code: 'busy', retryAfterMs: 90_000 });
    await send();
    await advance(89_999);
    assert.equal(messages.length, 1);
    await advance(1);
    assert.equal(messages.length, 2);
  });

  it('fails the request at once if the gateway refuses for good', async () => {
    next = async () => ({ accepted: false, final: true, code: 'no_such_number' });
    const id = await send();
    await advance(0);
    assert.equal((await record(id)).state, 'failure');
    assert.equal(messages.length, 1);
  });

  it('continues after a restart', async () => {
    next = async () => ({ accepted: false, final: false, code: 'busy' });
    const id = await send();
    await advance(0);
    next = async () => ({ accepted: true });
    await service.restart();
    await advance(10_000);
    assert.deepEqual(
      (await record(id)).events.map(({ type }) => type),
      ['task.sent'],
    );
  });

  it('is given up with the request, or for a newer message', async () => {
    next = async () => ({ accepted: false, final: false, code: 'busy' });
    const cancelled = await send();
    const resent = await send();
    await advance(0);
    await service.call('POST', `/requests/${cancelled}/cancel`);
    await service.call('POST', `/requests/${resent}/resend`);
    await advance(0);
    messages = [];
    next = async () => ({ accepted: true });
    await advance(60_000);
    assert.equal(messages.length, 1);
    assert.equal(messages[0]?.requestId, resent);
  });

  it('is recorded before it starts if a repeat would reach the customer twice, and retried only after a clear answer', async () => {
    const seen: unknown[] = [];
    const begun = async () => (await statement(service, 'select begun from deliveries')).map((row) => row.begun);
    await service.close();
    service = await startTestService({
      clock: time.clock,
      alarm: time.alarm,
      delivery: {
        doubles: () => true,
        deliver: async (_message, _signal, again) => {
          seen.push([...(await begun()), again]);
          return { accepted: false, final: false, code: 'busy', unknown: seen.length === 1 };
        },
      },
    });
    await send();
    await advance(0);
    assert.deepEqual(await begun(), [1]);
    await advance(20_000);
    assert.deepEqual(seen.slice(0, 3), [
      [1, false],
      [1, true],
      [1, false],
    ]);
  });
});
