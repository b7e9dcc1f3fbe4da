import assert from 'node:assert/strict';
import { GatewayFault, gatewayNames, type Order } from '../../../../src/service/payments/gateways/gateway.ts';
import { makeHttpGateway } from '../../../../src/service/payments/gateways/http.ts';
import { makeStripe } from '../../../../src/service/payments/gateways/stripe.ts';
import { type GatewayWorld, gatewayWorlds, requestId } from '../../../support/gateways.ts';

const order = (): Order => ({
  key: `${requestId}-1`,
  requestId,
  title: 'Charging pass',
  description: 'Ten sessions',
  money: { minor: 5990n, currency: 'EUR' },
  language: 'en',
  backUrl: 'https://verify.example.com/checkout/back',
  createdAt: Date.now(),
  expiresAt: Date.now() + 30 * 60_000,
});
const soon = () => AbortSignal.timeout(5000);

for (const name of gatewayNames) {
  describe(`the gateway ${name}`, () => {
    let world: GatewayWorld;
    beforeEach(async () => {
      world = await gatewayWorlds[name]();
    });
    afterEach(() => world.close());
    const make = () => world.gateway.createCheckout(order(), soon());
    const at = Date.UTC(2026, 10, 20, 9);

    it('makes a checkout that is open until it is paid, and then reports the payment', async () => {
      const { id, url } = await make();
      assert.match(url, /^https?:/);
      const open = await world.gateway.retrieve(id, soon());
      assert.deepEqual([open.status, open.requestId, open.money], ['open', requestId, { minor: 5990n, currency: 'EUR' }]);
      await world.pay(id);
      const paid = await world.gateway.retrieve(id, soon());
      assert.deepEqual([paid.status, paid.requestId, paid.money], ['paid', requestId, { minor: 5990n, currency: 'EUR' }]);
      assert.match(paid.transactionId ?? '', /^\w/);
      if (name !== 'sandbox') assert.match(paid.receiptUrl ?? '', /^https:/);
    });

    it('makes one checkout for one order, however often it is sent', async () => {
      const given = order();
      const [one, other] = [await world.gateway.createCheckout(given, soon()), await world.gateway.createCheckout(given, soon())];
      assert.deepEqual(other, one);
    });

    it('closes a checkout for good, and says so again', async () => {
      const { id } = await make();
      assert.equal((await world.gateway.expire(id, soon())).status, 'closed');
      assert.equal((await world.gateway.expire(id, soon())).status, 'closed');
    });

    it('says that a checkout was paid before it could be closed', async () => {
      const { id } = await make();
      await world.pay(id);
      const payment = await world.gateway.expire(id, soon());
      assert.deepEqual([payment.status, payment.money?.minor], ['paid', 5990n]);
    });

    it('refuses a checkout that it never made', async () => {
      await assert.rejects(world.gateway.retrieve('nothing', soon()), (fault) => fault instanceof GatewayFault && fault.code === 'refused');
    });

    describe('in its webhooks', () => {
      it('names the event and the checkout', () => {
        const { raw, headers } = world.webhook('checkout_1', 'evt_1', at);
        assert.deepEqual(world.gateway.verifyWebhook(raw, headers, at), { id: 'evt_1', checkoutId: 'checkout_1' });
      });

      const minutes = 60_000;
      const moments: [string, number, boolean][] = [
        ['of this moment', 0, true],
        ['five minutes old', 5 * minutes, true],
        ['six minutes old', 6 * minutes, false],
        ['from five minutes ahead', -5 * minutes, true],
        ['from six minutes ahead', -6 * minutes, false],
      ];
      for (const [what, age, taken] of moments) {
        it(`${taken ? 'takes' : 'refuses'} one ${what}`, () => {
          const { raw, headers } = world.webhook('checkout_1', 'evt_1', at);
          assert.equal(world.gateway.verifyWebhook(raw, headers, at + age) !== undefined, taken);
        });
      }

      type Given = ReturnType<GatewayWorld['webhook']>;
      const forgeries: [string, (given: Given) => Given][] = [
        ['without a signature', ({ raw }) => ({ raw, headers: {} })],
        [
          'with an empty signature',
          ({ raw, headers }) => ({ raw, headers: Object.fromEntries(Object.keys(headers).map((key) => [key, ''])) }),
        ],
        [
          'whose body was changed',
          ({ raw, headers }) => ({ raw: Buffer.from(raw.toString().replace('checkout_1', 'checkout_2')), headers }),
        ],
        [
          'whose body was written anew',
          ({ raw, headers }) => ({ raw: Buffer.from(JSON.stringify(JSON.parse(raw.toString()), null, 2)), headers }),
        ],
        ['whose body has a byte more', ({ raw, headers }) => ({ raw: Buffer.concat([raw, Buffer.from(' ')]), headers })],
        ['whose body is empty', ({ headers }) => ({ raw: Buffer.alloc(0), headers })],
        ['signed with another secret', () => world.webhook('checkout_1', 'evt_1', at, 'whsec_another')],
        [
          'with the time moved',
          ({ raw, headers }) => ({
            raw,
            headers: Object.fromEntries(
              Object.entries(headers).map(([key, value]) => [key, value.replace(String(at / 1000), String(at / 1000 + 1))]),
            ),
          }),
        ],
      ];
      for (const [what, forge] of forgeries) {
        it(`refuses one ${what}`, () => {
          const { raw, headers } = forge(world.webhook('checkout_1', 'evt_1', at));
          assert.equal(world.gateway.verifyWebhook(raw, headers, at), undefined);
        });
      }
    });

    if (name === 'sandbox') return;

    for (const [status, code] of [
      [500, 'unreachable'],
      [503, 'unreachable'],
      [429, 'unreachable'],
      [400, 'refused'],
      [401, 'refused'],
    ] as const) {
      it(`counts as ${code} when it answers ${status}`, async () => {
        const { id } = await make();
        world.refuse?.(status);
        for (const call of [() => make(), () => world.gateway.retrieve(id, soon()), () => world.gateway.expire(id, soon())]) {
          await assert.rejects(call, (fault) => fault instanceof GatewayFault && fault.code === code);
        }
      });
    }

    it('counts as unreachable if nothing listens', async () => {
      const gone = await gatewayWorlds[name]();
      await gone.close();
      const url = 'http://127.0.0.1:9/';
      const gateway = name === 'http' ? makeHttpGateway(url, 'x') : makeStripe('x', 'x', url);
      await assert.rejects(gateway.retrieve('nothing', soon()), (fault) => fault instanceof GatewayFault && fault.code === 'unreachable');
    });

    const nonsense: [string, object][] =
      name === 'http'
        ? [
            ['a status that is none', { status: 'maybe' }],
            ['paid, by nothing', { status: 'paid', transactionId: undefined }],
            ['a number for an amount', { amount: 59.9 }],
          ]
        : [
            ['a status that is none', { status: 'maybe' }],
            ['paid, by nothing', { status: 'complete', payment_status: 'paid', payment_intent: null }],
          ];
    for (const [what, change] of nonsense) {
      it(`counts as invalid if it answers with ${what}`, async () => {
        const { id } = await make();
        world.bend?.(change);
        await assert.rejects(world.gateway.retrieve(id, soon()), (fault) => fault instanceof GatewayFault && fault.code === 'malformed');
      });
    }

    it('does not count as paid while the money is in transit', async () => {
      const { id } = await make();
      world.bend?.(name === 'http' ? { status: 'processing' } : { status: 'complete', payment_status: 'unpaid' });
      assert.equal((await world.gateway.retrieve(id, soon())).status, 'processing');
    });
  });
}
