import assert from 'node:assert/strict';
import { ProtocolError } from '../../src/client/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { json } from '../support/misbehaving-service.ts';
import { caller, paymentResult, requestId, samples } from '../support/service-samples.ts';

describe('an answer that departs from the interface', () => {
  let under: ClientUnderTest;
  let departures: [string, readonly string[]][] = [];
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());
  beforeEach(() => {
    departures = [];
  });

  const make = () => under.make({ onDeparture: (operation, paths) => void departures.push([operation, paths]) });
  const key = { idempotencyKey: requestId };

  describe('to a send', () => {
    for (const wsToken of [undefined, null, '', {}] as const) {
      it(`is taken with a token that is ${JSON.stringify(wsToken)}: the request can be polled`, async () => {
        under.service.script(json(200, { requestId, wsToken }));
        const { wsToken: read, ...sent } = await make().apps.payments.send(samples.payments.send, key);
        assert.deepEqual(sent, { requestId });
        assert.equal(read, undefined);
        assert.deepEqual(departures, [['payments.send', ['wsToken']]]);
      });
    }

    it('is not taken without an identifier: nothing could be polled', async () => {
      under.service.script(json(200, { wsToken: 'token-0001' }));
      const error = await failureOf(make().apps.payments.send(samples.payments.send, key), ProtocolError);
      assert.deepEqual(error.paths, ['requestId']);
    });

    const passcode: [string, object, object][] = [
      ['without a message', { success: true, requestId }, { success: true, requestId }],
      ['without a word on success', { message: 'Sent.', requestId }, { success: true, requestId }],
      ['that refuses without an identifier', { success: false, message: 'No.' }, { success: false }],
    ];
    for (const [what, answer, read] of passcode) {
      it(`of a passcode is taken ${what}`, async () => {
        under.service.script(json(200, answer));
        assert.deepEqual(await make().apps['one-time-passcode'].send(samples['one-time-passcode'].send, key), read);
        assert.equal(departures.length, 1);
      });
    }
  });

  describe('to a look-up', () => {
    const jane = samples.payments.bootstrapped.customers[0] as object;
    const [product] = samples.payments.bootstrapped.products as [object];
    const [document] = samples['document-signature'].bootstrapped.documents as [object];

    /** What the one entry beside a good one is, and what is made of it; nothing: it is left out. */
    const customers: [string, object | null, object | undefined, string[]][] = [
      ['without an e-mail', { id: 'c-2', name: 'Bo' }, { id: 'c-2', name: 'Bo' }, ['customers.1.email']],
      ['whose e-mail is null', { id: 'c-2', name: 'Bo', email: null }, { id: 'c-2', name: 'Bo' }, ['customers.1.email']],
      ['without a name', { id: 'c-2', email: 'b@example.com' }, { id: 'c-2', name: '', email: 'b@example.com' }, ['customers.1.name']],
      ['whose id is a number', { ...jane, id: 1042 }, { ...jane, id: '1042' }, ['customers.1.id']],
      ['without an id', { ...jane, id: null }, undefined, ['customers.1.id']],
      ['that is null', null, undefined, ['customers.1']],
    ];
    for (const [what, given, read, paths] of customers) {
      it(`makes what it can of a customer ${what}`, async () => {
        under.service.script(json(200, { customers: [jane, given], products: [product] }));
        const { customers: found } = await make().apps.payments.bootstrap(caller);
        assert.deepEqual(JSON.parse(JSON.stringify(found)), read ? [jane, read] : [jane]);
        assert.deepEqual(departures, [['payments.bootstrap', paths]]);
      });
    }

    const products: [string, object, object | undefined][] = [
      ['without a description', { ...product, description: undefined }, { ...product, description: undefined }],
      ['whose description is a number', { ...product, description: 7 }, { ...product, description: '7' }],
      ['whose price is written as text', { ...product, price: '59.90' }, { ...product, price: 59.9 }],
      ['whose price nobody can read for sure', { ...product, price: '1,500' }, undefined],
      ['without a price', { ...product, price: null }, undefined],
      ['without a currency', { ...product, currency: null }, undefined],
      ['whose id is a number', { ...product, id: 7 }, { ...product, id: '7' }],
    ];
    for (const [what, given, read] of products) {
      it(`makes what it can of a product ${what}`, async () => {
        under.service.script(json(200, { customers: [jane], products: [product, given] }));
        const { products: found } = await make().apps.payments.bootstrap(caller);
        assert.deepEqual(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify(read ? [product, read] : [product])));
        assert.equal(departures.length, 1);
      });
    }

    const blank = { name: 'start', type: 'date', required: true };
    const documents: [string, object, object | undefined][] = [
      ['without variables', { variables: undefined }, { variables: [] }],
      ['whose variables are null', { variables: null }, { variables: [] }],
      ['with a blank of no type', { variables: [{ name: 'start', required: true }] }, { variables: [{ ...blank, type: 'text' }] }],
      ['with a blank that may be needed', { variables: [{ ...blank, required: 'true' }] }, { variables: [blank] }],
      ['with a blank that does not say', { variables: [{ ...blank, required: null }] }, { variables: [{ ...blank, required: false }] }],
      ['with a blank that has no name', { variables: [{ ...blank, name: null }] }, undefined],
      ['whose variables are no list', { variables: 'start' }, undefined],
    ];
    for (const [what, given, read] of documents) {
      it(`makes what it can of a document ${what}`, async () => {
        under.service.script(json(200, { customers: [jane], documents: [document, { ...document, ...given }] }));
        const { documents: found } = await make().apps['document-signature'].bootstrap(caller);
        const expected = read ? [document, { ...document, ...read }] : [document];
        assert.deepEqual(JSON.parse(JSON.stringify(found)), expected);
        assert.equal(departures.length, 1);
      });
    }

    for (const authentication of ['yesterday', { id: 7 }, []]) {
      it(`does without an authentication that is ${JSON.stringify(authentication)}`, async () => {
        const { customers: enrolled } = samples.passkeys.bootstrapped;
        under.service.script(json(200, { customers: enrolled, authentication }));
        const found = await make().apps.passkeys.bootstrap(caller);
        assert.deepEqual(found.customers, enrolled);
        assert.equal(found.authentication, undefined);
        assert.equal(departures[0]?.[0], 'passkeys.bootstrap');
      });
    }

    it('does not guess whether a customer is enrolled from an unreadable value', async () => {
      under.service.script(json(200, { customers: [{ ...jane, isEnrolled: 'perhaps' }], authentication: null }));
      assert.equal((await make().apps.passkeys.bootstrap(caller)).customers[0]?.isEnrolled, undefined);
    });

    it('is an error, not "nobody", if there are entries and none can be read', async () => {
      under.service.script(json(200, { customers: [null, { name: 'Bo' }], products: [product] }));
      const error = await failureOf(make().apps.payments.bootstrap(caller), ProtocolError);
      assert.deepEqual(error.paths, ['customers.0', 'customers.1.id', 'customers.1.email']);
    });

    it('is not reported if it keeps to the interface', async () => {
      under.service.script(json(200, { ...samples.payments.bootstrapped, more: 1 }));
      assert.deepEqual(await make().apps.payments.bootstrap(caller), samples.payments.bootstrapped);
      assert.deepEqual(departures, []);
    });
  });

  describe('to the question for a result', () => {
    const side: [string, object, object, string][] = [
      ['a user agent of null', { userAgent: null }, { userAgent: undefined }, 'userAgent'],
      ['an amount written as text', { amount: '59.90' }, { amount: 59.9 }, 'amount'],
      ['an amount that nobody can read for sure', { amount: '59,90' }, { amount: undefined }, 'amount'],
      ['no amount', { amount: undefined }, { amount: undefined }, 'amount'],
      ['a quantity of null', { quantity: null }, { quantity: undefined }, 'quantity'],
      ['a transaction that is a number', { transactionId: 4711 }, { transactionId: '4711' }, 'transactionId'],
      ['a timestamp that is none', { timestamp: 'yesterday' }, { timestamp: undefined }, 'timestamp'],
      ['no customer', { customerRef: null }, { customerRef: undefined }, 'customerRef'],
      ['a link that is an object', { gatewayUrl: {} }, { gatewayUrl: undefined }, 'gatewayUrl'],
    ];
    for (const [what, given, read, path] of side) {
      it(`is an outcome with ${what}`, async () => {
        under.service.script(json(200, { ...paymentResult, ...given }));
        const found = await make().results.get(requestId);
        assert.deepEqual(JSON.parse(JSON.stringify(found)), JSON.parse(JSON.stringify({ ...paymentResult, ...read })));
        assert.deepEqual(departures, [['results.get', [path]]]);
      });
    }

    it('is an outcome of passkeys without an action', async () => {
      const { product, quantity, amount, currency, gateway, productId, transactionId, ...common } = paymentResult;
      under.service.script(json(200, { ...common, app: 'passkeys' }));
      const found = await make().results.get(requestId);
      assert.deepEqual([found?.app, found?.status], ['passkeys', 'success']);
      assert.deepEqual(departures, [['results.get', ['action']]]);
    });

    const unreadable: [string, object][] = [
      ['no status', { status: undefined }],
      ['a status of its own', { status: 'paid' }],
      ['no app', { app: null }],
      ['an app of its own', { app: 'lottery' }],
      ['no identifier', { id: null }],
    ];
    for (const [what, given] of unreadable) {
      it(`is none with ${what}, and not the same as "not finished"`, async () => {
        under.service.script(json(200, { ...paymentResult, ...given }));
        const error = await failureOf(make().results.get(requestId), ProtocolError);
        assert.deepEqual([error.code, error.paths], ['shape', Object.keys(given)]);
      });
    }
  });
});
