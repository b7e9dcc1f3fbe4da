import assert from 'node:assert/strict';
import { resultRecords } from '../../../../src/contract/index.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { Sending, TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

type Paged = 'document-signature' | 'e-form' | 'passkeys' | 'payments';

onEachDatabase('the link of a message', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  before(async () => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm });
  });
  after(() => service.close());

  const start = async (app: Paged = 'e-form') => {
    const { status, json } = await service.call('POST', `/${app}/send`, { body: app === 'e-form' ? shortForm() : sendBody(app) });
    assert.equal(status, 200, JSON.stringify(json));
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, link: message?.link ?? '' };
  };
  const post = (link: string, fields: Record<string, string>, sending: Sending = {}) =>
    service.open('POST', link, { body: new URLSearchParams(fields), ...sending });
  const events = async (id: string) =>
    ((await service.call('GET', `/requests/${id}`)).json.events as { type: string }[]).map(({ type }) => type);
  const result = (id: string) => service.call('GET', `/results/${id}`);

  it('can be fetched ten times without effect, and then used once', async () => {
    const { requestId, link } = await start();
    for (let times = 0; times < 10; times += 1) assert.equal((await service.open('GET', link)).status, 200);
    assert.deepEqual(await events(requestId), ['task.sent']);
    const { status, text } = await post(link, shortAnswer);
    assert.equal(status, 200);
    assert.match(text, /continue in your chat/);
    assert.deepEqual(await events(requestId), ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded']);
    for (const reply of [await service.open('GET', link), await post(link, shortAnswer)]) {
      assert.equal(reply.status, 410);
      assert.match(reply.text, /This is already done/);
    }
  });

  it('has one outcome for fifty posts at once', async () => {
    const { requestId, link } = await start();
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post(link, index % 2 ? shortAnswer : { decision: 'decline' })),
    );
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    assert.equal((await events(requestId)).filter((type) => /succeeded|failed/.test(type)).length, 1);
  });

  it('reports that the page is open and started, each once', async () => {
    const { requestId, link } = await start();
    for (let times = 0; times < 3; times += 1) assert.equal((await service.open('POST', `${link}/opened`)).status, 204);
    for (let times = 0; times < 3; times += 1) assert.equal((await service.open('POST', `${link}/started`)).status, 204);
    assert.deepEqual(await events(requestId), ['task.sent', 'task.bootstrapped', 'task.started']);
  });

  it('has a policy that admits no content from other sites', async () => {
    const { link } = await start();
    const { headers, text } = await service.open('GET', link);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
    assert.ok(nonce && text.includes(`nonce="${nonce}"`));
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
    assert.doesNotMatch(text, /(?:src|href|action)="https?:/);
    for (const [, address] of text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const asset = await service.open('GET', address ?? '');
      assert.equal(asset.status, 200);
      assert.match(String(asset.headers['cache-control']), /immutable/);
    }
  });

  const origins: [string, Record<string, string>, number][] = [
    ['its own page', { 'sec-fetch-site': 'same-origin' }, 200],
    ['its own page in an older browser', { origin: 'null' }, 200],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }, 403],
    ['another site in an older browser', { origin: 'https://evil.example' }, 403],
  ];
  for (const [what, headers, expected] of origins) {
    it(`answers a post from ${what} with ${expected}`, async () => {
      const { requestId, link } = await start();
      assert.equal((await post(link, shortAnswer, { headers })).status, expected);
      assert.equal((await result(requestId)).status, expected === 200 ? 200 : 404);
    });
  }

  it('stops working at its deadline, even before the scheduler runs', async () => {
    const { requestId, link } = await start('passkeys');
    const { expiresAt } = (await service.call('GET', `/requests/${requestId}`)).json;
    // Only the clock moves here: no alarm rings.
    const stopped = makeTestTime(Date.parse(expiresAt));
    const now = time.clock.now;
    (time.clock as { now: () => number }).now = stopped.clock.now;
    try {
      assert.equal((await service.open('GET', link)).status, 410);
      assert.equal((await post(link, shortAnswer)).status, 410);
    } finally {
      (time.clock as { now: () => number }).now = now;
    }
  });

  for (const link of ['/r/unknown-unknown-unknown', '/r/x', '/r/%00', `/r/${'x'.repeat(90)}`]) {
    it(`shows the same page for ${link.slice(0, 30)}`, async () => {
      const { status, text } = await service.open('GET', link);
      assert.equal(status, 404);
      assert.match(text, /Go back to your chat/);
    });
  }

  const declinedWords = {
    passkeys: /Brightwater Energy<\/p><p>You have not confirmed that it is you\./,
    'document-signature': /You have not signed anything\./,
    payments: /Brightwater Energy · Charging pass<\/p><p>You have not been charged\./,
    'e-form': /No answers were sent\./,
  };
  it('can always be declined', async () => {
    for (const app of ['passkeys', 'document-signature', 'payments', 'e-form'] as const) {
      const { requestId, link } = await start(app);
      const { status, text } = await post(link, { decision: 'decline' });
      assert.equal(status, 200);
      assert.match(text, declinedWords[app]);
      assert.equal(resultRecords[app].parse((await result(requestId)).json).status, 'failure');
    }
  });

  it('records where it was used', async () => {
    const { requestId, link } = await start();
    await post(link, shortAnswer, { headers: { 'user-agent': 'A phone' } });
    const { ipAddress, userAgent, phoneNumber } = (await result(requestId)).json;
    assert.deepEqual([ipAddress, userAgent, phoneNumber], ['127.0.0.1', 'A phone', '+12025550102']);
  });

  const bodies: [string, Sending, number][] = [
    ['JSON', { body: { decision: 'accept' } }, 200],
    ['a list', { body: [] }, 200],
    ['nothing', {}, 200],
    ['text', { body: 'decision=accept', headers: { 'content-type': 'text/plain' } }, 415],
    ['more than a form can hold', { body: new URLSearchParams({ name: 'x'.repeat(40_000) }) }, 413],
  ];
  for (const [what, sending, expected] of bodies) {
    it(`answers a post of ${what} with ${expected}, and keeps running`, async () => {
      const { link } = await start('payments');
      assert.equal((await service.open('POST', link, sending)).status, expected);
    });
  }

  describe('to a page in a language', () => {
    const cases: [string, string, string][] = [
      ['es-MX,es;q=0.9,en;q=0.8', 'es', 'Rechazar'],
      ['pt, es;q=0.5', 'es', 'Rechazar'],
      ['de-CH', 'de', 'Ablehnen'],
      ['fr', 'fr', 'Refuser'],
      ['ar-EG', 'ar', 'رفض'],
      ['ja', 'ja', '断る'],
      ['en-GB', 'en', 'Decline'],
      ['pt', 'en', 'Decline'],
      ['es;q=0', 'en', 'Decline'],
      [';;;q=x,,', 'en', 'Decline'],
    ];
    for (const [header, language, word] of cases) {
      it(`speaks ${language} to ${header}`, async () => {
        const { link } = await start();
        const { text } = await service.open('GET', link, { headers: { 'accept-language': header } });
        assert.match(text, new RegExp(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`));
        assert.ok(text.includes(word));
      });
    }
  });
});
