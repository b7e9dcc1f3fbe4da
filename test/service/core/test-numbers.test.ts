import assert from 'node:assert/strict';
import { type AppId, appIds, finalEvents, requestRecord, resultRecords } from '../../../src/contract/index.ts';
import { demoLimits } from '../../../src/service/core/limits/limits.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { type Ending, sendBody } from '../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

onEachDatabase('the test phone numbers', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  beforeEach(async () => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm });
  });
  afterEach(() => service.close());

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const start = async (app: AppId, ending: Ending): Promise<string> => {
    const { status, json } = await service.call('POST', `/${app}/send`, { body: sendBody(app, ending) });
    assert.equal(status, 200, JSON.stringify(json));
    return json.requestId;
  };
  const result = (id: string) => service.call('GET', `/results/${id}`);
  const history = async (id: string) => {
    const record = requestRecord.parse((await service.call('GET', `/requests/${id}`)).json);
    return record.events.map(({ type }) => type);
  };

  const byItself: [Ending, number, keyof typeof finalEvents][] = [
    ['0110', 1000, 'task.succeeded'],
    ['0111', 1000, 'task.failed'],
    ['0112', 2000, 'task.timed_out'],
  ];
  for (const app of appIds) {
    for (const [ending, after, final] of byItself) {
      const status = finalEvents[final];
      if (app === 'one-time-passcode' && status === 'success') continue;
      it(`…${ending} ends ${app} with ${status} after ${after} ms, through every event`, async () => {
        const id = await start(app, ending);
        await advance(after - 1);
        assert.equal((await result(id)).status, 404);
        await advance(1);
        const { status: code, json } = await result(id);
        assert.equal(code, 200);
        const record = resultRecords[app].parse(json);
        assert.equal(record.status, status);
        assert.equal(Date.parse(record.timestamp), time.clock.now());
        const opened = app === 'one-time-passcode' ? [] : ['task.bootstrapped', 'task.started'];
        assert.deepEqual(await history(id), ['task.sent', ...opened, final]);
      });
    }

    it(`name in the result of ${app} the agent who sent it, if there was one`, async () => {
      const by = async (headers: Record<string, string>) => {
        const { json } = await service.call('POST', `/${app}/send`, { body: sendBody(app, '0111'), headers });
        await advance(1000);
        return (await result(json.requestId)).json.agentId;
      };
      assert.equal(await by({ 'agent-id': 'mara@example.com' }), 'mara@example.com');
      assert.equal(await by({}), undefined);
      const refused = await service.call('POST', `/${app}/send`, { body: sendBody(app), headers: { 'agent-id': 'Mara Ek' } });
      assert.deepEqual([refused.status, refused.json.code], [400, 'malformed']);
    });

    it(`…0113 never ends ${app} before its deadline`, async () => {
      const id = await start(app, '0113');
      const [message] = await service.outbox();
      if (message?.link !== undefined) {
        for (const decision of ['accept', 'decline']) {
          const { status } = await service.open('POST', message.link, { body: new URLSearchParams({ decision }) });
          assert.equal(status, 409);
        }
      }
      if (message?.code !== undefined) {
        for (let times = 0; times < 6; times += 1) {
          const { json } = await service.call('POST', '/one-time-passcode/check', { body: { requestId: id, code: message.code } });
          assert.deepEqual(json, { codeMatch: false });
        }
      }
      await advance(demoLimits.expiryMs[app] - 1);
      assert.equal((await result(id)).status, 404);
      await advance(1);
      assert.equal((await result(id)).json.status, 'timeout');
    });

    it(`…0114 refuses ${app} with 503 and stores nothing`, async () => {
      const headers = { 'idempotency-key': 'key-0001' };
      for (let times = 0; times < 2; times += 1) {
        const reply = await service.call('POST', `/${app}/send`, { body: sendBody(app, '0114'), headers });
        assert.equal(reply.status, 503);
        assert.equal(reply.json.code, 'unavailable');
        assert.ok(reply.headers['retry-after']);
      }
      assert.deepEqual(await service.outbox(), []);
    });

    it(`…0102 waits for its customer with ${app}`, async () => {
      const id = await start(app, '0102');
      await advance(60_000);
      assert.equal((await result(id)).status, 404);
      assert.deepEqual(await history(id), ['task.sent']);
    });
  }

  it('…0110 always gets the passcode 123456, and waits for it to be checked', async () => {
    const id = await start('one-time-passcode', '0110');
    await advance(5000);
    assert.equal((await result(id)).status, 404);
    const { json } = await service.call('POST', '/one-time-passcode/check', { body: { requestId: id, code: '123456' } });
    assert.deepEqual(json, { codeMatch: true });
    assert.equal((await result(id)).json.status, 'success');
  });

  it('…0110 returns form answers and the price paid', async () => {
    const form = await start('e-form', '0110');
    const payment = await start('payments', '0110');
    await advance(1000);
    const { data, zeroKnowledge } = (await result(form)).json;
    assert.equal(zeroKnowledge, false);
    assert.deepEqual(data[0], { type: 'text', key: 'street', value: '12 Orchard Lane' });
    const { product, quantity, amount, currency, gateway, productId, transactionId } = (await result(payment)).json;
    assert.deepEqual(
      [product, quantity, amount, currency, gateway, productId],
      ['Charging pass', 1, 59.9, 'EUR', 'sandbox', 'ev-charging-pass'],
    );
    assert.match(transactionId, /^sandbox-/);
  });

  it('return no answers of a zero-knowledge form', async () => {
    const body = { ...sendBody('e-form', '0110'), formId: '6f1c0000-0000-4000-8000-000000000002' };
    const { json } = await service.call('POST', '/e-form/send', { body });
    await advance(1000);
    const { data, zeroKnowledge } = (await result(json.requestId)).json;
    assert.deepEqual([data, zeroKnowledge], [[], true]);
  });

  it('end automatically in demo mode only', async () => {
    const messages: unknown[] = [];
    const delivery = {
      deliver: async (message: unknown) => {
        messages.push(message);
        return { accepted: true as const };
      },
    };
    const production = await startTestService({ demo: false, delivery, clock: time.clock, alarm: time.alarm });
    try {
      for (const ending of ['0110', '0114'] as const) {
        const { status, json } = await production.call('POST', '/payments/send', { body: sendBody('payments', ending) });
        assert.equal(status, 200);
        await time.advance(5000, () => production.running.settled());
        assert.equal((await production.call('GET', `/results/${json.requestId}`)).status, 404);
      }
      assert.equal(messages.length, 2);
    } finally {
      await production.close();
    }
  });
});
