import assert from 'node:assert/strict';
import { onwardPath } from '../../support/device.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

onEachDatabase('the sandbox', (startTestService) => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const begin = async () => {
    const { requestId } = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json;
    const [message] = await service.outbox();
    const { text } = await service.open('POST', message?.link ?? '', { body: new URLSearchParams({ decision: 'accept' }) });
    return { requestId: requestId as string, link: message?.link ?? '', page: onwardPath(text) ?? '' };
  };
  const post = (page: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    service.open('POST', page, { body: new URLSearchParams(fields), headers });
  /** Posts, and goes where the answer sends the browser. */
  const press = async (page: string, fields: Record<string, string>) => {
    const { status, headers } = await post(page, fields);
    assert.equal(status, 303, 'a reload of what is seen must not ask to post again');
    return service.open('GET', String(headers.location));
  };
  const result = async (id: string) => service.call('GET', `/results/${id}`);

  it('asks for no card, and has no field for one', async () => {
    const { page } = await begin();
    const { text } = await service.open('GET', page);
    assert.doesNotMatch(text, /<input(?! type="radio")/);
    assert.match(text, /no real card is asked for, and no money moves/);
    assert.match(text, /€59\.90/);
  });

  it('finishes with the working card before the customer is back', async () => {
    const { requestId, page } = await begin();
    const { status, headers } = await post(page, { card: 'approved' });
    assert.equal(status, 303);
    assert.match(String(headers.location), /^http:\/\/localhost:\d+\/checkout\//);
    const { json } = await result(requestId);
    assert.equal(json.status, 'success');
    assert.match(json.transactionId, /^sandbox-[0-9A-Z]{26}$/);
    assert.equal(json.gatewayUrl, undefined);
  });

  for (const [card, words] of [
    ['declined', /The card was declined/],
    ['funds', /not enough money on this card/],
    ['', /Please choose one of the answers/],
    ['4242 4242 4242 4242', /Please choose one of the answers/],
  ] as const) {
    it(`lets the customer choose again after “${card}”`, async () => {
      const { requestId, page } = await begin();
      const { status, text } = await press(page, { card });
      assert.equal(status, 200);
      assert.match(text, words);
      assert.equal((await result(requestId)).status, 404);
      await post(page, { card: 'approved' });
      assert.equal((await result(requestId)).json.status, 'success');
    });
  }

  it('asks on behalf of the bank, and accepts either answer', async () => {
    const { requestId, page } = await begin();
    assert.match((await press(page, { card: 'challenge' })).text, /Is it you\?/);
    assert.match((await service.open('GET', page)).text, /Is it you\?/);
    assert.match((await press(page, { bank: 'deny' })).text, /did not confirm that it was you/);
    assert.equal((await result(requestId)).status, 404);
    await post(page, { card: 'challenge' });
    assert.match((await press(page, { card: 'approved' })).text, /did not confirm/, 'another card is no answer to the bank');
    await post(page, { card: 'challenge' });
    await post(page, { bank: 'confirm' });
    assert.equal((await result(requestId)).json.status, 'success');
  });

  it('accepts one payment of twenty at once', async () => {
    const { requestId, page } = await begin();
    const replies = await Promise.all(Array.from({ length: 20 }, () => post(page, { card: 'approved' })));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [303]);
    const { events } = (await service.call('GET', `/requests/${requestId}`)).json;
    assert.equal(events.filter(({ type }: { type: string }) => type === 'task.succeeded').length, 1);
  });

  it('accepts no payment for a withdrawn request', async () => {
    const { requestId, page } = await begin();
    await service.call('POST', `/requests/${requestId}/cancel`);
    assert.equal((await service.open('GET', page)).status, 410);
    assert.equal((await press(page, { card: 'approved' })).status, 410);
    assert.equal((await result(requestId)).status, 404);
  });

  it('redirects a post to a paid page to where its customer went', async () => {
    const { page } = await begin();
    const first = await post(page, { card: 'approved' });
    const second = await post(page, { card: 'declined' });
    assert.deepEqual([second.status, second.headers.location], [303, new URL(page, 'http://x').pathname]);
    const { status, headers } = await service.open('GET', page);
    assert.deepEqual([status, headers.location], [303, first.headers.location]);
  });

  for (const because of ['', 'toString', '__proto__', '<script>', 'approved']) {
    it(`shows no injected text for the reason “${because.slice(0, 20)}”`, async () => {
      const { page } = await begin();
      const { status, text } = await service.open('GET', `${page}?because=${because}`);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /class="error"|<script>|toString|__proto__/);
    });
  }

  it('accepts no post from another site', async () => {
    const { requestId, page } = await begin();
    assert.equal((await post(page, { card: 'approved' }, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await result(requestId)).status, 404);
  });

  for (const page of ['/sandbox/unknown', `/sandbox/${'x'.repeat(32)}`, '/checkout/unknown', '/checkout/%00']) {
    it(`shows the same page at ${page.slice(0, 30)}`, async () => {
      for (const reply of [await service.open('GET', page), await post(page, { card: 'approved', decision: 'decline' })]) {
        assert.equal(reply.status, 404);
        assert.match(reply.text, /Go back to your chat/);
      }
    });
  }

  it('shows texts unchanged, in the customer’s language', async () => {
    const { page } = await begin();
    const { text } = await service.open('GET', page, { headers: { 'accept-language': 'es' } });
    assert.match(text, /<html lang="es" dir="ltr">/);
    assert.match(text, /Tarjeta de prueba/);
  });
});
