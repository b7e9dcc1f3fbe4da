import assert from 'node:assert/strict';
import { ProtocolError } from '../../src/client/index.ts';
import { type AppId, appIds, type ResultRecord } from '../../src/contract/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { empty, json, raw, refuse } from '../support/misbehaving-service.ts';
import { paymentResult, requestId } from '../support/service-samples.ts';

describe('reading a result', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  const { product, quantity, amount, currency, gateway, productId, transactionId, ...common } = paymentResult;
  const records: { readonly [Id in AppId]: ResultRecord<Id> } = {
    passkeys: { ...common, app: 'passkeys', action: 'authentication' },
    'one-time-passcode': { ...common, app: 'one-time-passcode' },
    'document-signature': { ...common, app: 'document-signature', title: 'Lease', url: 'https://example.com/lease.pdf' },
    payments: paymentResult,
    'e-form': { ...common, app: 'e-form', zeroKnowledge: false, data: [{ type: 'text', key: 'street', value: { any: ['thing'] } }] },
  };

  for (const app of appIds) {
    it(`gives the record of a finished ${app} request`, async () => {
      under.service.script(json(200, records[app]));
      assert.deepEqual(await under.make().results.get(requestId), records[app]);
      const [request] = under.service.requests;
      assert.deepEqual([request?.method, request?.url, request?.body], ['GET', `/results/${requestId}`, '']);
    });

    for (const status of ['failure', 'timeout'] as const) {
      it(`gives a ${status} of ${app} without the fields of a success`, async () => {
        under.service.script(json(200, { ...common, app, status }));
        assert.deepEqual(await under.make().results.get(requestId), { ...common, app, status });
      });
    }
  }

  for (const [what, behaviour] of [
    ['a problem', refuse(404, 'not_found')],
    ['nothing more', empty(404)],
    ['HTML', raw(404, '<h1>Not found</h1>', { 'Content-Type': 'text/html' })],
  ] as const) {
    it(`gives nothing while the request is not finished, told by a 404 with ${what}`, async () => {
      under.service.script(behaviour);
      assert.equal(await under.make().results.get(requestId), undefined);
      assert.equal(under.service.requests.length, 1);
    });
  }

  it('is tried again while the service is busy', async () => {
    under.service.script(empty(503), empty(404));
    assert.equal(await under.make().results.get(requestId), undefined);
    assert.equal(under.service.requests.length, 2);
  });

  it('accepts an identifier in upper or lower case', async () => {
    under.service.script(json(200, { ...paymentResult, id: requestId.toLowerCase() }));
    assert.equal((await under.make().results.get(requestId))?.status, 'success');
  });

  const doubtful: [string, unknown, string][] = [
    ['of another request', { ...paymentResult, id: '01KAH5Z0V8Q2J9XW3N4M5P6R7T' }, 'mismatch'],
    ['of an unknown app', { ...paymentResult, app: 'lottery' }, 'shape'],
    ['with an unknown status', { ...paymentResult, status: 'maybe' }, 'shape'],
    ['without a status', { ...paymentResult, status: undefined }, 'shape'],
    ['without an identifier', { ...paymentResult, id: undefined }, 'shape'],
  ];
  for (const [what, record, code] of doubtful) {
    it(`never takes a record ${what} for an answer`, async () => {
      under.service.script(json(200, record));
      assert.equal((await failureOf(under.make().results.get(requestId), ProtocolError)).code, code);
    });
  }
});
