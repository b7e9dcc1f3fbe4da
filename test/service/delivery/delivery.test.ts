import assert from 'node:assert/strict';
import { makeLog } from '../../../src/platform/log.ts';
import type { Delivery, Handover, Message } from '../../../src/service/index.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { statement } from '../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';
import { until } from '../../support/until.ts';

onEachDatabase('handing a message over', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  let messages: Message[];
  let next: () => Promise<Handover>;
  let lines: string[];
  const delivery: Delivery = {
    deliver: (message) => {
      messages.push(message);
      return next();
    },
  };
  beforeEach(async () => {
    time = makeTestTime();
    [messages, lines] = [[], []];
    next = async () => ({ accepted: true });
    const log = makeLog('warn', { write: (line) => void lines.push(line) });
    service = await startTestService({ clock: time.clock, alarm: time.alarm, delivery, log, limits: { resendCooldownsMs: [0] } });
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
    // And up to a fifth longer, so that many do not come back at one instant.
    await advance(18_001);
    assert.equal(messages.length, 2);
  });

  it('fails the request at once if the gateway refuses for good, which is an error that is counted', async () => {
    next = async () => ({ accepted: false, final: true, code: 'no_such_number' });
    const id = await send();
    await advance(0);
    const { text } = await service.open('GET', `${service.running.baseUrl}/metrics`);
    assert.match(text, /^countersign_service_given_up_total\{kind="messages"\} 1$/m);
    const [given] = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    assert.deepEqual([given?.msg, given?.code, given?.interaction], ['a message is given up', 'no_such_number', id]);
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

  it('has not been tried if a stop cuts it off, and is repeated at once by the next start', async () => {
    let begun = 0;
    const cut: Delivery = {
      deliver: (_message, signal) =>
        new Promise((resolve) => {
          begun += 1;
          const late = () => resolve({ accepted: false, final: false, code: 'cut', unknown: true });
          if (begun > 1) resolve({ accepted: true });
          else signal.addEventListener('abort', late);
        }),
    };
    await service.close();
    service = await startTestService({ clock: time.clock, alarm: time.alarm, delivery: cut });
    const id = await send();
    await until(() => begun === 1, 'the first attempt');
    await service.running.close();
    const stored = await statement(service, 'select attempts from deliveries');
    assert.deepEqual(
      stored.map(({ attempts }) => attempts),
      [0],
    );
    await service.restart();
    await advance(0);
    assert.deepEqual([begun, (await record(id)).events.map(({ type }) => type)], [2, ['task.sent']]);
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
