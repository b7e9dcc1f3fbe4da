import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { resultRecords } from '../../../src/contract/index.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { demoCatalogue } from '../../../src/service/core/catalogue/load.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { type Paying, startPaying } from '../../support/paying.ts';
import { statement } from '../../support/service-database.ts';
import { changeInput } from '../../support/service-seal.ts';
import { until } from '../../support/until.ts';

const minutes = 60_000;
const whole = ['task.sent', 'task.bootstrapped', 'task.started', 'task.succeeded'];

onEachDatabase('a payment', (startTestService) => {
  let paying: Paying;
  beforeEach(async () => {
    paying = await startPaying({}, startTestService);
  });
  afterEach(() => paying.close());

  const result = async (id: string) => resultRecords.payments.parse((await paying.service.call('GET', `/results/${id}`)).json);
  const begin = async () => {
    const { requestId, link } = await paying.send();
    const { status, text } = await paying.press(link);
    assert.equal(status, 200, text);
    return { requestId, link, text, ...paying.checkoutOf(requestId) };
  };
  const comeBack = (back: string) => paying.service.open('GET', back);
  const logged = (code: string) => paying.log.filter((line) => line.includes(`"${code}"`)).length;
  const tamper = (text: string, ...values: string[]) => statement(paying.service, text, ...values);

  it('is created at the gateway, and ends with everything that a receipt needs', async () => {
    const { requestId, id, back, text } = await begin();
    assert.ok(text.includes(`content="0;url=https://pay.example.com/${id}"`));
    assert.deepEqual(await paying.events(requestId), whole.slice(0, 3));
    paying.connector.pay(id);
    const { status, text: page } = await comeBack(back);
    assert.equal(status, 200);
    assert.match(page, /You paid €59\.90/);
    const { product, quantity, amount, currency, gateway, productId, transactionId, gatewayUrl, status: ending } = await result(requestId);
    assert.deepEqual(
      { product, quantity, amount, currency, gateway, productId, transactionId, gatewayUrl, ending },
      {
        product: 'Charging pass',
        quantity: 1,
        amount: 59.9,
        currency: 'EUR',
        gateway: 'http',
        productId: 'ev-charging-pass',
        transactionId: `tx-${id}`,
        gatewayUrl: `https://pay.example.com/receipts/${id}`,
        ending: 'success',
      },
    );
    assert.deepEqual(await paying.events(requestId), whole);
    assert.match((await comeBack(back)).text, /You paid €59\.90/);
  });

  it('is requested with an exact decimal, and nothing that reveals the customer’s link', async () => {
    const { id, link } = await begin();
    const { amount, currency, returnUrl = '', expiresAt } = paying.connector.checkouts.get(id)?.asked ?? {};
    assert.deepEqual([amount, currency], ['59.90', 'EUR']);
    assert.equal(Date.parse(expiresAt ?? ''), paying.time.clock.now() + 30 * minutes);
    assert.ok(!JSON.stringify(paying.connector.checkouts.get(id)?.asked).includes(new URL(link).pathname.slice(3)));
    assert.match(returnUrl, /^http:\/\/localhost:\d+\/checkout\/[\w-]+$/);
  });

  describe('does not finish', () => {
    it('because the customer came back, possibly without having paid', async () => {
      const { requestId, back } = await begin();
      for (let times = 0; times < 3; times += 1) assert.match((await comeBack(back)).text, /You have not paid yet/);
      assert.equal(await paying.state(requestId), 'pending');
    });

    it('because a webhook says so: the gateway is queried', async () => {
      const { requestId, id } = await begin();
      const raw = Buffer.from(JSON.stringify({ checkoutId: id, status: 'paid', amount: '59.90', currency: 'EUR', transactionId: 'tx-1' }));
      assert.deepEqual((await paying.notify(id, 'evt_said', raw)).json, { received: 'taken' });
      assert.equal(await paying.state(requestId), 'pending');
    });

    it('while the money is in transit', async () => {
      const { requestId, back } = await begin();
      paying.connector.bend(() => ({ status: 'processing' }));
      assert.match((await comeBack(back)).text, /Your payment is on its way/);
      assert.equal(await paying.state(requestId), 'pending');
    });

    const hops: [string, () => void][] = [
      ['a cent less at the gateway', () => paying.connector.bend(() => ({ amount: '59.89' }))],
      ['a cent more at the gateway', () => paying.connector.bend(() => ({ amount: '59.91' }))],
      ['a hundredth of it at the gateway', () => paying.connector.bend(() => ({ amount: '0.599' }))],
      ['another currency at the gateway', () => paying.connector.bend(() => ({ currency: 'USD' }))],
      ['no currency at the gateway', () => paying.connector.bend(() => ({ currency: '' }))],
      ['another request’s payment', () => paying.connector.bend(() => ({ reference: '01KAH5Z0V8Q2J9XW3N4M5P6R7S' }))],
      ['nobody’s payment', () => paying.connector.bend(() => ({ reference: undefined }))],
    ];
    for (const [what, bend] of hops) {
      it(`with ${what}, and an operator learns of it`, async () => {
        const { requestId, id, back } = await begin();
        paying.connector.pay(id);
        bend();
        assert.match((await comeBack(back)).text, /We have to check this payment/);
        assert.equal((await paying.notify(id)).status, 200);
        assert.equal(await paying.state(requestId), 'pending');
        assert.equal(logged('payment_mismatch'), 2);
        await paying.advance(30 * minutes);
        assert.equal(await paying.state(requestId), 'timeout');
      });
    }

    const records: [string, (requestId: string) => Promise<unknown>][] = [
      ['the checkout’s amount', (id) => tamper('UPDATE checkouts SET amount = ? WHERE request_id = ?', '1', id)],
      ['the checkout’s currency', (id) => tamper('UPDATE checkouts SET currency = ? WHERE request_id = ?', 'USD', id)],
      ['the request’s amount', (id) => changeInput(paying.service, id, '"5990"', '"1"')],
      ['the request’s currency', (id) => changeInput(paying.service, id, '"EUR"', '"USD"')],
    ];
    for (const [what, change] of records) {
      it(`after ${what} was changed in our own record`, async () => {
        const { requestId, id, back } = await begin();
        paying.connector.pay(id);
        await change(requestId);
        assert.match((await comeBack(back)).text, /We have to check this payment/);
        assert.equal(await paying.state(requestId), 'pending');
        assert.equal(logged('payment_mismatch'), 1);
      });
    }

    it('with another record’s amount, after both were changed', async () => {
      const { requestId, id, back } = await begin();
      await tamper('UPDATE checkouts SET amount = ? WHERE request_id = ?', '1', requestId);
      await changeInput(paying.service, requestId, '"5990"', '"1"');
      paying.connector.pay(id);
      await comeBack(back);
      assert.equal(await paying.state(requestId), 'pending');
    });
  });

  it('charges the catalogue’s amount, whatever the page posts', async () => {
    const { requestId, link } = await paying.send();
    await paying.press(link, { amount: '0.01', minor: '1', currency: 'USD', productId: 'fibre-router', quantity: '0' });
    const { id } = paying.connector.checkouts.size === 1 ? paying.checkoutOf(requestId) : assert.fail('one checkout');
    const { amount, currency, title } = paying.connector.checkouts.get(id)?.asked ?? {};
    assert.deepEqual([amount, currency, title], ['59.90', 'EUR', 'Charging pass']);
  });

  it('has one checkout for a button pressed twenty times', async () => {
    const { requestId, link } = await paying.send();
    const replies = await Promise.all(Array.from({ length: 20 }, () => paying.press(link)));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.equal(paying.connector.checkouts.size, 1);
    await paying.press(link);
    assert.equal(paying.connector.checkouts.size, 1);
    assert.equal(await paying.state(requestId), 'pending');
  });

  it('gets another checkout when the gateway has closed the first', async () => {
    const { requestId, link, id } = await begin();
    Object.assign(paying.connector.checkouts.get(id) ?? {}, { status: 'closed' });
    assert.equal((await paying.press(link)).status, 200);
    assert.equal(paying.connector.checkouts.size, 2);
    const second = paying.checkoutOf(requestId);
    paying.connector.pay(second.id);
    await comeBack(second.back);
    assert.equal((await result(requestId)).transactionId, `tx-${second.id}`);
  });

  it('counts as paid if the customer presses again after paying in another window', async () => {
    const { requestId, link, id } = await begin();
    paying.connector.pay(id);
    assert.match((await paying.press(link)).text, /You paid €59\.90/);
    assert.equal(await paying.state(requestId), 'success');
  });

  it('can be tried again when the gateway does not answer', async () => {
    const { requestId, link } = await paying.send();
    paying.connector.refuse(503);
    const { status, text } = await paying.press(link);
    assert.equal(status, 503);
    assert.match(text, /The payment page cannot be reached/);
    assert.equal(await paying.state(requestId), 'pending');
    paying.connector.refuse(undefined);
    assert.equal((await paying.press(link)).status, 200);
  });

  it('says so if the gateway does not answer on the way back, and ends at the next load', async () => {
    const { requestId, id, back } = await begin();
    paying.connector.pay(id);
    paying.connector.refuse(500);
    assert.equal((await comeBack(back)).status, 503);
    paying.connector.refuse(undefined);
    assert.equal((await comeBack(back)).status, 200);
    assert.equal(await paying.state(requestId), 'success');
  });

  it('continues after a restart in between', async () => {
    const { requestId, id, back } = await begin();
    await paying.service.restart();
    paying.connector.pay(id);
    assert.match((await comeBack(back)).text, /You paid €59\.90/);
    assert.equal(await paying.state(requestId), 'success');
  });

  describe('that is no longer wanted', () => {
    const ends: [string, (begun: { requestId: string; link: string; back: string }) => Promise<unknown>, string][] = [
      ['withdrawn', ({ requestId }) => paying.service.call('POST', `/requests/${requestId}/cancel`), 'cancelled'],
      ['declined on its page', ({ link }) => paying.press(link, { decision: 'decline' }), 'failure'],
      [
        'declined on the way back',
        ({ back }) => paying.service.open('POST', back, { body: new URLSearchParams({ decision: 'decline' }) }),
        'failure',
      ],
      ['out of time', () => paying.advance(30 * minutes), 'timeout'],
    ];
    for (const [what, end, state] of ends) {
      it(`cannot be made once it is ${what}`, async () => {
        const begun = await begin();
        await end(begun);
        assert.equal(await paying.state(begun.requestId), state);
        assert.equal(paying.connector.checkouts.get(begun.id)?.status, 'closed');
        assert.equal((await comeBack(begun.back)).status, 410);
        assert.equal((await paying.press(begun.link)).status, 410);
      });

      it(`counts if it was paid a moment before it was ${what}`, async () => {
        const begun = await begin();
        paying.connector.pay(begun.id);
        await end(begun);
        assert.equal(await paying.state(begun.requestId), 'success');
        assert.equal((await paying.events(begun.requestId)).at(-1), 'task.succeeded');
      });

      it(`is closed later when the gateway does not answer as it is ${what}`, async () => {
        const begun = await begin();
        paying.connector.refuse(503);
        await end(begun);
        assert.equal(await paying.state(begun.requestId), state);
        await paying.advance(2 * minutes);
        assert.equal(paying.connector.checkouts.get(begun.id)?.status, 'open');
        paying.connector.refuse(undefined);
        await paying.advance(60 * minutes);
        assert.equal(paying.connector.checkouts.get(begun.id)?.status, 'closed');
      });
    }

    it('is reported to an operator if it was paid after all', async () => {
      const { requestId, id } = await begin();
      paying.connector.refuse(503);
      await paying.service.call('POST', `/requests/${requestId}/cancel`);
      paying.connector.refuse(undefined);
      paying.connector.pay(id);
      await paying.advance(2 * minutes);
      assert.equal(logged('paid_after_end'), 1);
      assert.equal(await paying.state(requestId), 'cancelled');
      await paying.advance(60 * minutes);
      assert.equal(logged('paid_after_end'), 1);
    });

    const stored = async () => {
      const [{ state, tries } = assert.fail('no checkout')] = await statement(paying.service, 'select state, tries from checkouts');
      return `${state} after ${tries}`;
    };

    it('has not been tried if a stop cuts the call to the gateway off', async () => {
      const { requestId } = await begin();
      paying.connector.refuse(503);
      await paying.service.call('POST', `/requests/${requestId}/cancel`);
      paying.connector.refuse('never');
      const before = paying.connector.refused();
      void paying.advance(2000);
      await until(() => paying.connector.refused() > before, 'the call');
      await paying.service.running.close();
      assert.equal(await stored(), 'open after 0');
      paying.connector.refuse(undefined);
      await paying.service.restart();
      await paying.advance(0);
      assert.equal(await stored(), 'closed after 0');
    });

    it('is given up after a day, as an error that is counted', async () => {
      const { requestId } = await begin();
      paying.connector.refuse(503);
      await paying.service.call('POST', `/requests/${requestId}/cancel`);
      await paying.advance(24 * 60 * minutes);
      assert.match(await stored(), /^open/);
      await paying.advance(12 * 60 * minutes);
      assert.equal(await stored(), 'closed after 60');
      const errors = paying.log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
      assert.deepEqual(
        errors.map(({ msg, interaction }) => [msg, interaction]),
        [['a checkout could not be closed: somebody has to see to it at the gateway', requestId]],
      );
      const { text } = await paying.service.open('GET', `${paying.service.running.baseUrl}/metrics`);
      assert.match(text, /^countersign_service_given_up_total\{kind="checkouts"\} 1$/m);
    });

    it('is checked again after a restart', async () => {
      const { requestId, id } = await begin();
      paying.connector.refuse(503);
      await paying.service.call('POST', `/requests/${requestId}/cancel`);
      await paying.service.restart();
      paying.connector.refuse(undefined);
      await paying.advance(60 * minutes);
      assert.equal(paying.connector.checkouts.get(id)?.status, 'closed');
    });

    it('delays nobody if the gateway is away and many end at once: only the first one waits for it', async () => {
      const begun = [];
      for (let times = 0; times < 5; times += 1) begun.push(await begin());
      paying.connector.refuse(503);
      for (const { requestId } of begun) await paying.service.call('POST', `/requests/${requestId}/cancel`);
      for (const { requestId } of begun) assert.equal(await paying.state(requestId), 'cancelled');
      assert.equal(paying.connector.refused(), 1);
    });
  });

  describe('of any amount', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-prices-'));
    });
    after(() => rmSync(folder, { recursive: true }));
    const write = (change: object) => {
      const catalogue = parse(readFileSync(demoCatalogue, 'utf8'));
      Object.assign(catalogue.products[2], change);
      const file = join(folder, 'catalogue.yaml');
      writeFileSync(file, stringify(catalogue));
      return file;
    };
    const started = async (change: object) => {
      await paying.close();
      paying = await startPaying({ catalogueFile: write(change) }, startTestService);
    };

    const prices: [unknown, string, string, number][] = [
      ['59.90', 'EUR', '59.90', 59.9],
      [1200, 'JPY', '1200', 1200],
      ['1.005', 'KWD', '1.005', 1.005],
      ['1250.50', 'HUF', '1250.50', 1250.5],
      ['0.07', 'USD', '0.07', 0.07],
      ['12345678901.99', 'IDR', '12345678901.99', 12345678901.99],
    ];
    for (const [price, currency, told, amount] of prices) {
      it(`is exact from the catalogue to the result: ${price} ${currency}`, async () => {
        await started({ price, currency, quantity: 3 });
        const { requestId, id, back } = await begin();
        assert.equal(paying.connector.checkouts.get(id)?.asked.amount, told);
        paying.connector.pay(id);
        await comeBack(back);
        const found = await result(requestId);
        assert.deepEqual([found.amount, found.currency, found.quantity], [amount, currency, 3]);
        const { products } = (await paying.service.call('POST', '/payments/bootstrap', { body: { phoneNumber: '+12025550102' } })).json;
        assert.equal(products[2].price, amount);
      });
    }

    it('keeps its amount if the price changes afterwards', async () => {
      await started({});
      const { requestId, link } = await paying.send();
      write({ price: '1', currency: 'USD', title: 'Something else' });
      await paying.service.restart();
      await paying.press(new URL(link).pathname);
      const { id, back } = paying.checkoutOf(requestId);
      assert.equal(paying.connector.checkouts.get(id)?.asked.amount, '59.90');
      paying.connector.pay(id);
      await comeBack(back);
      const { product, amount, currency } = await result(requestId);
      assert.deepEqual([product, amount, currency], ['Charging pass', 59.9, 'EUR']);
    });

    it('must be one that the gateway can charge, or the service does not start', async () => {
      const file = write({ price: '1250.50', currency: 'HUF' });
      const gateway = { name: 'stripe', secretKey: 'sk_test_x', webhookSecret: 'whsec_x' } as const;
      await assert.rejects(startTestService({ catalogueFile: file, gateway }), (fault) => {
        assert.ok(fault instanceof SettingsError);
        assert.deepEqual(fault.lines, [
          'SERVICE_PAYMENT_GATEWAY: the price of the product ev-charging-pass cannot be charged by Stripe in HUF.',
        ]);
        return true;
      });
    });
  });
});
