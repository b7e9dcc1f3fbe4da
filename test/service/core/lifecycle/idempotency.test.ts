import assert from 'node:assert/strict';
import { appIds } from '../../../../src/contract/index.ts';
import { HttpProblem } from '../../../../src/platform/http/http-problem.ts';
import { makeIdempotency } from '../../../../src/service/core/lifecycle/idempotency.ts';
import { makeSeal } from '../../../../src/service/core/secrets/seal.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { failureOf } from '../../../support/failure-of.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';

onEachDatabase('an idempotency key', (startTestService) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  const send = (app: (typeof appIds)[number], change: object = {}, key = '01ARZ3NDEKTSV4RRFFQ69G5FAV') =>
    service.call('POST', `/${app}/send`, { body: { ...sendBody(app), ...change }, headers: { 'idempotency-key': key } });

  for (const app of appIds) {
    it(`makes a repeated ${app} send one request with one answer, across a restart too`, async () => {
      const first = await send(app);
      assert.equal(first.status, 200);
      assert.equal((await send(app)).text, first.text);
      await service.restart();
      assert.equal((await send(app)).text, first.text);
      assert.equal((await service.outbox()).length, 1);
    });
  }

  it('ignores the order of fields', async () => {
    const body = sendBody('payments');
    const first = await send('payments');
    const turned = Object.fromEntries(Object.entries(body).reverse());
    const second = await service.call('POST', '/payments/send', {
      body: turned,
      headers: { 'idempotency-key': '01ARZ3NDEKTSV4RRFFQ69G5FAV' },
    });
    assert.equal(second.text, first.text);
  });

  it('is refused for another body and for another app, and does nothing', async () => {
    await send('payments');
    for (const other of [await send('payments', { productId: 'fibre-router' }), await send('e-form')]) {
      assert.equal(other.status, 422);
      assert.equal(other.json.code, 'idempotency_key_reused');
    }
    assert.equal((await service.outbox()).length, 1);
  });

  it('is not used up by a send that was refused', async () => {
    assert.equal((await send('payments', { productId: 'nothing' })).status, 422);
    assert.equal((await send('payments')).status, 200);
  });

  it('is all that distinguishes requests', async () => {
    const first = await send('payments', {}, 'key-1');
    const second = await send('payments', {}, 'key-2');
    assert.notEqual(first.json.requestId, second.json.requestId);
  });

  it('makes fifty sends at once one request', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => send('payments')));
    const answers = new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text));
    assert.equal(answers.size, 1);
    for (const { status } of replies) assert.ok(status === 200 || status === 409);
    assert.equal((await service.outbox()).length, 1);
  });
});

describe('idempotency in one process', () => {
  const seal = makeSeal('pepper');
  const claim = { accountId: 'account', key: 'key', digest: 'digest' };

  it('answers 409 while the first send is running, and lets the next one in when that has failed', async () => {
    const idempotency = makeIdempotency({ answerOf: async () => undefined }, seal);
    let fail = (_: Error) => {};
    const first = idempotency.once(claim, () => new Promise<object>((_, reject) => (fail = reject)));
    const refusal = await failureOf(
      idempotency.once(claim, async () => ({})),
      HttpProblem,
    );
    assert.equal(refusal.status, 409);
    assert.equal(refusal.headers['Retry-After'], '1');
    fail(new TypeError('no'));
    await failureOf(first, TypeError);
    assert.deepEqual(await idempotency.once(claim, async () => ({ done: true })), { done: true });
  });

  it('returns the answer of another process that was faster', async () => {
    const stored: { digest: string; answer: string }[] = [];
    const idempotency = makeIdempotency({ answerOf: async () => stored[0] }, seal);
    const answer = await idempotency.once<{ by: string }>(claim, async (sealed) => {
      stored.push(sealed({ by: 'the other' }));
      return 'duplicate';
    });
    assert.deepEqual(answer, { by: 'the other' });
  });
});
