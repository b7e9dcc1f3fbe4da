import assert from 'node:assert/strict';
import type { AppId } from '../../../../src/contract/index.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { startPaying } from '../../../support/paying.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { connectTo } from '../../../support/service-socket.ts';

onEachDatabase('a newer request of the same app', (startTestService) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ limits: { oneActive: true, messagesPerDestination: { points: 3, seconds: 600 } } });
  });
  afterEach(() => service.close());

  const send = async (app: AppId = 'e-form', body: object = shortForm(), headers: Record<string, string> = {}) => {
    const { status, json } = await service.call('POST', `/${app}/send`, { body, headers });
    return { status, ...(json as { requestId: string; wsToken: string }), link: (await service.outbox())[0]?.link ?? '' };
  };
  const record = async (id: string) =>
    (await service.call('GET', `/requests/${id}`)).json as { state: string; events: { type: string; code?: string }[] };
  const state = async (id: string) => (await record(id)).state;

  it('replaces the older one, whose link then says so', async () => {
    const older = await send();
    const newer = await send();
    const { events, ...withdrawn } = await record(older.requestId);
    assert.equal(withdrawn.state, 'cancelled');
    assert.deepEqual(
      events.map(({ type, code }) => [type, code]),
      [
        ['task.sent', undefined],
        ['request.superseded', newer.requestId],
      ],
    );
    const gone = await service.open('GET', older.link);
    assert.equal(gone.status, 410);
    assert.match(gone.text, /There is a newer message.*Open the link in the newest one/s);
    assert.equal((await service.call('GET', `/results/${older.requestId}`)).status, 404);
    await service.open('POST', older.link, { body: new URLSearchParams(shortAnswer) });
    await service.open('POST', newer.link, { body: new URLSearchParams(shortAnswer) });
    assert.deepEqual([await state(older.requestId), await state(newer.requestId)], ['cancelled', 'success']);
  });

  it('closes the socket of the older one without a final event', async () => {
    const older = await send();
    const socket = await connectTo(service.running.wsUrl, older.wsToken);
    await send();
    assert.equal(await socket.closed(), 1000);
    assert.deepEqual(socket.types(), ['task.sent']);
  });

  it('voids the older code', async () => {
    const older = await send('one-time-passcode', sendBody('one-time-passcode'));
    const code = (await service.outbox())[0]?.code ?? '';
    await send('one-time-passcode', sendBody('one-time-passcode'));
    const check = await service.call('POST', '/one-time-passcode/check', { body: { requestId: older.requestId, code } });
    assert.equal(check.json.codeMatch, false);
  });

  it('leaves other apps, other customers and ended requests alone', async () => {
    const done = await send();
    await service.open('POST', done.link, { body: new URLSearchParams(shortAnswer) });
    const others = [await send('payments', sendBody('payments')), await send('e-form', shortForm('0113'))];
    await send();
    assert.equal(await state(done.requestId), 'success');
    for (const { requestId } of others) assert.equal(await state(requestId), 'pending');
  });

  it('does not exist if the same send is repeated', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await send('e-form', shortForm(), headers);
    const again = await send('e-form', shortForm(), headers);
    assert.equal(again.requestId, first.requestId);
    assert.equal(await state(first.requestId), 'pending');
  });

  it('leaves the older one unchanged if it is refused itself', async () => {
    await send();
    await send();
    const last = await send();
    assert.equal((await send()).status, 429);
    assert.equal(await state(last.requestId), 'pending');
  });

  it('leaves one alone of twenty at once', async () => {
    await service.close();
    service = await startTestService({ limits: { oneActive: true } });
    const sent = await Promise.all(Array.from({ length: 20 }, () => service.call('POST', '/e-form/send', { body: shortForm() })));
    const states = await Promise.all(sent.map(({ json }) => state(json.requestId)));
    assert.equal(states.filter((one) => one === 'pending').length, 1);
    assert.equal(states.filter((one) => one === 'cancelled').length, 19);
  });

  it('replaces nothing at the shared test numbers', async () => {
    await service.close();
    service = await startTestService();
    const older = await send();
    await send();
    assert.equal(await state(older.requestId), 'pending');
  });
});

describe('a newer payment', () => {
  it('closes the older one at its gateway', async () => {
    const paying = await startPaying({ limits: { oneActive: true } });
    try {
      const older = await paying.send();
      await paying.press(older.link);
      const { id } = paying.checkoutOf(older.requestId);
      await paying.send();
      assert.equal(await paying.state(older.requestId), 'cancelled');
      assert.equal(paying.connector.checkouts.get(id)?.status, 'closed');
    } finally {
      await paying.close();
    }
  });

  it('lets the older one count when it was paid a moment before', async () => {
    const paying = await startPaying({ limits: { oneActive: true } });
    try {
      const older = await paying.send();
      await paying.press(older.link);
      paying.connector.pay(paying.checkoutOf(older.requestId).id);
      await paying.send();
      assert.equal(await paying.state(older.requestId), 'success');
    } finally {
      await paying.close();
    }
  });
});
