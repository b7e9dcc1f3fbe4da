import assert from 'node:assert/strict';
import { signWebhook } from '../../../src/platform/secrets/webhook-signature.ts';
import { connectorSecret } from '../../support/connector-server.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { type GatewayWorld, gatewayWorlds, stripeSecret } from '../../support/gateways.ts';
import { type Paying, startPaying } from '../../support/paying.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { openStripe, type StripeServer, stripeKey } from '../../support/stripe-server.ts';

describe('a webhook of the gateway', () => {
  let paying: Paying;
  beforeEach(async () => {
    paying = await startPaying();
  });
  afterEach(() => paying.close());

  const paid = async () => {
    const { requestId, link } = await paying.send();
    await paying.press(link);
    const { id } = paying.checkoutOf(requestId);
    paying.connector.pay(id);
    return { requestId, id };
  };
  const finals = async (requestId: string) => (await paying.events(requestId)).filter((type) => type === 'task.succeeded').length;

  it('finishes a payment that the gateway confirms, even if the customer never came back', async () => {
    const { requestId, id } = await paid();
    const { status, json } = await paying.notify(id);
    assert.deepEqual([status, json], [200, { received: 'taken' }]);
    assert.equal(await paying.state(requestId), 'success');
  });

  it('gets the same answer when repeated, and changes nothing', async () => {
    const { requestId, id } = await paid();
    await paying.notify(id, 'evt_same');
    const record = (await paying.service.call('GET', `/results/${requestId}`)).json;
    paying.connector.bend(() => ({ amount: '1.00', status: 'closed' }));
    for (let times = 0; times < 3; times += 1) {
      const { status, json } = await paying.notify(id, 'evt_same');
      assert.deepEqual([status, json], [200, { received: 'known' }]);
    }
    assert.deepEqual((await paying.service.call('GET', `/results/${requestId}`)).json, record);
    assert.equal(await finals(requestId), 1);
  });

  it('is also recognised after a restart', async () => {
    const { id } = await paid();
    await paying.notify(id, 'evt_same');
    await paying.service.restart();
    assert.deepEqual((await paying.notify(id, 'evt_same')).json, { received: 'known' });
  });

  it('has one effect if twenty arrive at once, together with the customer', async () => {
    const { requestId, id } = await paid();
    const { back } = paying.checkoutOf(requestId);
    const calls = Array.from({ length: 20 }, (_, index) => paying.notify(id, `evt_${index % 4}`));
    const replies = await Promise.all([...calls, paying.service.open('GET', back)]);
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.equal(await finals(requestId), 1);
  });

  it('is requested again while the gateway cannot be queried, and then accepted', async () => {
    const { requestId, id } = await paid();
    paying.connector.refuse(503);
    const { status, headers } = await paying.notify(id, 'evt_again');
    assert.equal(status, 503);
    assert.ok(headers['retry-after']);
    paying.connector.refuse(undefined);
    assert.deepEqual((await paying.notify(id, 'evt_again')).json, { received: 'taken' });
    assert.equal(await paying.state(requestId), 'success');
  });

  it('about an unknown checkout is recorded and ignored', async () => {
    assert.deepEqual((await paying.notify('checkout-of-another-shop')).json, { received: 'ignored' });
    assert.deepEqual((await paying.notify('x', 'evt_other', Buffer.from('{"something":"else"}'))).json, { received: 'ignored' });
    assert.deepEqual((await paying.notify('x', 'evt_text', Buffer.from('not JSON'))).json, { received: 'ignored' });
  });

  const post = (raw: Buffer, headers: Record<string, string>, name = 'http') =>
    paying.service.open('POST', `/webhooks/${name}`, { body: raw, headers: { 'content-type': 'application/json', ...headers } });

  it('that is not signed changes nothing', async () => {
    const { requestId, id } = await paid();
    const raw = Buffer.from(JSON.stringify({ checkoutId: id }));
    const now = paying.time.clock.now();
    const refused = [
      {},
      signWebhook('another secret of somebody', 'evt_1', raw, now),
      signWebhook(connectorSecret, 'evt_1', raw, now - 301_000),
      signWebhook(connectorSecret, 'evt_1', raw, now + 301_000),
      signWebhook(connectorSecret, 'evt_1', Buffer.from('{}'), now),
    ];
    for (const headers of refused) {
      const { status, json } = await post(raw, headers);
      assert.deepEqual([status, json.code], [400, 'bad_signature']);
    }
    assert.equal(await paying.state(requestId), 'pending');
  });

  it('is read byte by byte, whatever its content type', async () => {
    const { requestId, id } = await paid();
    const raw = Buffer.from(`{ "checkoutId" :\n "${id}" }\n`);
    const headers = signWebhook(connectorSecret, 'evt_1', raw, paying.time.clock.now());
    const { status } = await paying.service.open('POST', '/webhooks/http', {
      body: raw,
      headers: { 'content-type': 'text/plain', ...headers },
    });
    assert.equal(status, 200);
    assert.equal(await paying.state(requestId), 'success');
  });

  const strange: [string, () => ReturnType<typeof post>, number][] = [
    ['for a gateway that is not in use', () => post(Buffer.from('{}'), {}, 'stripe'), 404],
    ['for a gateway that does not exist', () => post(Buffer.from('{}'), {}, 'nothing'), 404],
    ['that is too large', () => post(Buffer.alloc(300_000, 'x'), {}), 413],
    ['that is compressed', () => post(Buffer.from('{}'), { 'content-encoding': 'gzip' }), 415],
  ];
  for (const [what, call, expected] of strange) {
    it(`${what} is answered with ${expected}`, async () => assert.equal((await call()).status, expected));
  }
});

onEachDatabase('payments at Stripe', (startTestService) => {
  let stripe: StripeServer;
  let world: GatewayWorld;
  let service: TestService;
  beforeEach(async () => {
    stripe = await openStripe();
    world = await gatewayWorlds.stripe();
    service = await startTestService({
      gateway: { name: 'stripe', secretKey: stripeKey, webhookSecret: stripeSecret, url: stripe.url },
    });
  });
  afterEach(async () => {
    await service.close();
    await world.close();
    await stripe.close();
  });

  const begin = async () => {
    const { requestId } = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json;
    const [message] = await service.outbox();
    const { text } = await service.open('POST', message?.link ?? '', { body: new URLSearchParams({ decision: 'accept' }) });
    const [session] = [...stripe.sessions.values()];
    assert.ok(session);
    assert.ok(text.includes(`content="0;url=${session.url}"`), text);
    return { requestId: requestId as string, session, back: new URL(session.asked.success_url ?? '').pathname };
  };
  const notify = ({ raw, headers }: ReturnType<GatewayWorld['webhook']>) =>
    service.open('POST', '/webhooks/stripe', { body: raw, headers: { 'content-type': 'application/json', ...headers } });

  it('name the gateway on the device page', async () => {
    await service.call('POST', '/payments/send', { body: sendBody('payments') });
    const [message] = await service.outbox();
    const { text } = await service.open('GET', message?.link ?? '');
    assert.match(text, /page of a payment provider/);
    assert.doesNotMatch(text, /sandbox/i);
  });

  it('request whole cents, in one session that can be paid for at least half an hour', async () => {
    const { requestId, session } = await begin();
    const { asked } = session;
    assert.equal(asked['line_items[0][price_data][unit_amount]'], '5990');
    assert.equal(asked['line_items[0][price_data][currency]'], 'eur');
    assert.equal(asked['adaptive_pricing[enabled]'], 'false');
    assert.equal(asked.client_reference_id, requestId);
    assert.equal(asked.success_url, asked.cancel_url);
  });

  it('finish by the webhook, with Stripe’s receipt', async () => {
    const { requestId, session } = await begin();
    stripe.pay(session.id);
    const webhook = world.webhook(session.id, 'evt_1', Date.now());
    assert.deepEqual((await notify(webhook)).json, { received: 'taken' });
    assert.deepEqual((await notify(webhook)).json, { received: 'known' });
    const { status, gateway, amount, currency, transactionId, gatewayUrl } = (await service.call('GET', `/results/${requestId}`)).json;
    assert.deepEqual([status, gateway, amount, currency], ['success', 'stripe', 59.9, 'EUR']);
    assert.equal(transactionId, `pi_${session.id}`);
    assert.equal(gatewayUrl, `https://pay.stripe.example/receipts/${session.id}`);
  });

  it('finish on the way back, and never because of it', async () => {
    const { requestId, session, back } = await begin();
    assert.match((await service.open('GET', back)).text, /You have not paid yet/);
    stripe.pay(session.id);
    assert.match((await service.open('GET', back)).text, /You paid €59\.90/);
    assert.equal((await service.call('GET', `/results/${requestId}`)).json.status, 'success');
  });

  for (const [what, change] of [
    ['a cent less', { amount_total: 5989 }],
    ['another currency', { currency: 'usd' }],
    ['another request', { client_reference_id: 'another' }],
    ['no amount', { amount_total: null }],
  ] as const) {
    it(`do not finish with ${what}`, async () => {
      const { requestId, session, back } = await begin();
      stripe.pay(session.id);
      stripe.bend(() => change);
      assert.match((await service.open('GET', back)).text, /We have to check this payment/);
      assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404);
    });
  }

  it('cannot be made once they are withdrawn', async () => {
    const { requestId, session } = await begin();
    await service.call('POST', `/requests/${requestId}/cancel`);
    assert.equal(session.status, 'expired');
  });
});
