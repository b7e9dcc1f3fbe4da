import assert from 'node:assert/strict';
import { type AppId, appIds, requestRecord } from '../../../../src/contract/index.ts';
import { iso } from '../../../../src/platform/time/clock.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

onEachDatabase('a request', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  beforeEach(async () => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm });
  });
  afterEach(() => service.close());

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = async (app: AppId = 'e-form') => {
    const { json } = await service.call('POST', `/${app}/send`, { body: app === 'e-form' ? shortForm() : sendBody(app) });
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  const accept = (link: string) => service.open('POST', link, { body: new URLSearchParams(shortAnswer) });
  const cancel = (id: string) => service.call('POST', `/requests/${id}/cancel`);
  const resend = (id: string) => service.call('POST', `/requests/${id}/resend`);

  for (const app of appIds) {
    it(`of ${app} can be read with its history`, async () => {
      const { requestId } = await send(app);
      const { status, json } = await service.call('GET', `/requests/${requestId}`);
      assert.equal(status, 200);
      const record = requestRecord.parse(json);
      assert.equal(record.app, app);
      assert.equal(record.state, 'pending');
      assert.equal(record.customerRef, 'cust-0102-mei');
      assert.equal(record.sessionRef, 'session-0001');
      assert.equal(record.finishedAt, undefined);
      assert.ok(Date.parse(record.expiresAt) > Date.parse(record.createdAt));
      assert.deepEqual(
        record.events.map(({ type }) => type),
        ['task.sent'],
      );
    });

    it(`of ${app} can be withdrawn, twice if need be, and then has no result and no page`, async () => {
      const { requestId, link } = await send(app);
      const withdrawnAt = time.clock.now();
      for (let times = 0; times < 2; times += 1) {
        const { status, json } = await cancel(requestId);
        assert.equal(status, 200);
        const { state, finishedAt } = requestRecord.parse(json);
        assert.deepEqual([state, finishedAt], ['cancelled', iso(withdrawnAt)]);
        await advance(60_000);
      }
      assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404);
      if (link) assert.equal((await accept(link)).status, 410);
      await advance(2 * 60 * 60_000);
      assert.equal((await service.call('GET', `/requests/${requestId}`)).json.state, 'cancelled');
      assert.equal((await resend(requestId)).json.code, 'already_finished');
    });
  }

  it('that has finished shows since when, like its result', async () => {
    const { requestId, link } = await send();
    await accept(link);
    await advance(60_000);
    const { timestamp } = (await service.call('GET', `/results/${requestId}`)).json;
    assert.equal((await service.call('GET', `/requests/${requestId}`)).json.finishedAt, timestamp);
  });

  it('that is finished cannot be withdrawn or sent again', async () => {
    const { requestId, link } = await send();
    await accept(link);
    for (const reply of [await cancel(requestId), await resend(requestId)]) {
      assert.equal(reply.status, 409);
      assert.equal(reply.json.code, 'already_finished');
    }
    assert.equal((await service.call('GET', `/results/${requestId}`)).json.status, 'success');
  });

  it('ends in one way if it is withdrawn and answered at once', async () => {
    for (let times = 0; times < 20; times += 1) {
      const { requestId, link } = await send();
      const [used, withdrawn] = await Promise.all([accept(link), cancel(requestId)]);
      assert.deepEqual([used.status, withdrawn.status].toSorted(), used.status === 200 ? [200, 409] : [200, 410]);
      const { status } = await service.call('GET', `/results/${requestId}`);
      assert.equal(status, used.status === 200 ? 200 : 404);
    }
  });

  it('is sent again under a new link that makes the old one void, after a growing cooldown', async () => {
    const { requestId, link } = await send();
    for (const cooldown of [30_000, 60_000, 120_000, 120_000]) {
      const early = await resend(requestId);
      assert.equal(early.status, 429);
      assert.equal(early.json.code, 'cooldown');
      assert.equal(early.headers['retry-after'], String(cooldown / 1000));
      await advance(cooldown - 1);
      assert.equal((await resend(requestId)).status, 429);
      await advance(1);
      assert.equal((await resend(requestId)).status, 200);
    }
    const [newest] = await service.outbox();
    assert.notEqual(newest?.link, link);
    const former = await service.open('GET', link);
    assert.equal(former.status, 410);
    assert.match(former.text, /There is a newer message/);
    assert.equal((await accept(newest?.link ?? '')).status, 200);
    const { events } = (await service.call('GET', `/requests/${requestId}`)).json as { events: { type: string }[] };
    assert.equal(events.filter(({ type }) => type === 'task.sent').length, 5);
  });

  it('is sent again once for ten calls at the same time', async () => {
    const { requestId } = await send();
    await advance(30_000);
    const replies = await Promise.all(Array.from({ length: 10 }, () => resend(requestId)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal((await service.outbox()).length, 2);
  });

  it('keeps its deadline when it is sent again', async () => {
    const { requestId } = await send();
    const before = (await service.call('GET', `/requests/${requestId}`)).json.expiresAt;
    await advance(30_000);
    assert.equal((await resend(requestId)).json.expiresAt, before);
  });

  it('that is unknown gets 404 everywhere', async () => {
    const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    for (const reply of [await service.call('GET', `/requests/${unknown}`), await cancel(unknown), await resend(unknown)]) {
      assert.equal(reply.status, 404);
      assert.equal(reply.json.code, 'not_found');
    }
  });

  it('expires when its app says so', async () => {
    const limits = { expiryMs: { passkeys: 1, 'one-time-passcode': 2, 'document-signature': 3, payments: 4, 'e-form': 5 } };
    const brief = await startTestService({ clock: time.clock, alarm: time.alarm, limits });
    try {
      for (const [index, app] of appIds.toSorted((a, b) => limits.expiryMs[a] - limits.expiryMs[b]).entries()) {
        const { requestId } = (await brief.call('POST', `/${app}/send`, { body: sendBody(app) })).json;
        await time.advance(index, () => brief.running.settled());
        assert.equal((await brief.call('GET', `/results/${requestId}`)).status, 404);
        await time.advance(1, () => brief.running.settled());
        assert.equal((await brief.call('GET', `/results/${requestId}`)).json.status, 'timeout');
      }
    } finally {
      await brief.close();
    }
  });
});
