import assert from 'node:assert/strict';
import { ProtocolError, type RequestCalls, ServiceError, TransportError } from '../../src/client/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { type Behaviour, empty, json, refuse, reset } from '../support/misbehaving-service.ts';
import { paymentRequest, requestId } from '../support/service-samples.ts';

describe('requests that are under way', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  const record = json(200, paymentRequest);
  const calls = {
    get: ['GET', ''],
    cancel: ['POST', '/cancel'],
    resend: ['POST', '/resend'],
  } as const satisfies Record<keyof RequestCalls, readonly [string, string]>;

  const endings: [keyof RequestCalls, string, Behaviour, object][] = [
    ['get', 'a record', record, { kind: 'found', record: paymentRequest }],
    ['get', '404', refuse(404, 'not_found'), { kind: 'unsupported' }],
    ['get', '405', empty(405), { kind: 'unsupported' }],
    ['cancel', 'a record', record, { kind: 'cancelled', record: paymentRequest }],
    ['cancel', '404', empty(404), { kind: 'unsupported' }],
    ['cancel', '405', empty(405), { kind: 'unsupported' }],
    ['cancel', '409', refuse(409, 'already_finished'), { kind: 'already_finished' }],
    ['resend', 'a record', record, { kind: 'resent', record: paymentRequest }],
    ['resend', '404', empty(404), { kind: 'unsupported' }],
    ['resend', '405', empty(405), { kind: 'unsupported' }],
    ['resend', '409', refuse(409, 'already_finished'), { kind: 'already_finished' }],
    ['resend', '429', refuse(429, 'cooldown', { 'Retry-After': '30' }), { kind: 'too_soon', wait: 30_000 }],
    ['resend', '429 without Retry-After', empty(429), { kind: 'too_soon', wait: undefined }],
  ];
  for (const [name, what, behaviour, ending] of endings) {
    it(`${name}: ${what} is an ending, not a fault`, async () => {
      under.service.script(behaviour);
      assert.deepEqual(await under.make().requests[name](requestId), ending);
      const [request, ...more] = under.service.requests;
      assert.deepEqual([request?.method, request?.url, request?.body], [calls[name][0], `/requests/${requestId}${calls[name][1]}`, '']);
      assert.equal(more.length, 0);
    });
  }

  for (const name of Object.keys(calls) as (keyof RequestCalls)[]) {
    it(`${name}: a record of another request is no answer`, async () => {
      under.service.script(json(200, { ...paymentRequest, id: '01KAH5Z0V8Q2J9XW3N4M5P6R7T' }));
      assert.equal((await failureOf(under.make().requests[name](requestId), ProtocolError)).code, 'mismatch');
    });

    it(`${name}: a 401 is a fault`, async () => {
      under.service.script(empty(401));
      await failureOf(under.make().requests[name](requestId), ServiceError);
    });

    const attempts = name === 'resend' ? 1 : 4;
    it(`${name}: a broken connection is followed by ${attempts === 1 ? 'nothing, since every resend is another message' : 'more attempts'}`, async () => {
      under.service.script(reset);
      await failureOf(under.make().requests[name](requestId), TransportError);
      assert.equal(under.service.requests.length, attempts);
    });
  }
});
