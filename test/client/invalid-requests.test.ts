import assert from 'node:assert/strict';
import { fateOf, InvalidRequestError, type ServiceClient } from '../../src/client/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { caller, requestId, samples } from '../support/service-samples.ts';

describe('a request that breaks a rule', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  const key = { idempotencyKey: requestId };
  const cases: [string, string, (client: ServiceClient) => Promise<unknown>][] = [
    ['a phone number that is not E.164', 'phoneNumber', ({ apps }) => apps.payments.bootstrap({ ...caller, phoneNumber: '2025550101' })],
    ['a session reference of seven characters', 'sessionRef', ({ apps }) => apps['e-form'].bootstrap({ ...caller, sessionRef: '1234567' })],
    [
      'an enrolment check without a session',
      'sessionRef',
      ({ apps }) => apps.passkeys.bootstrap({ phoneNumber: caller.phoneNumber } as typeof caller),
    ],
    [
      'a passcode send without a customer',
      'customerRef',
      ({ apps }) => apps['one-time-passcode'].send({ ...caller, customerRef: undefined } as never, key),
    ],
    ['a form that is not a UUID', 'formId', ({ apps }) => apps['e-form'].send({ ...caller, formId: '1' }, key)],
    ['a passkey request to nobody', 'recipients', ({ apps }) => apps.passkeys.send({ ...samples.passkeys.send, recipients: [] }, key)],
    [
      'a recipient without a name',
      'recipients.0.name',
      ({ apps }) => apps.passkeys.send({ ...samples.passkeys.send, recipients: [{ email: 'jane@example.com', name: ' ' }] }, key),
    ],
    ['a code of five digits', 'code', ({ apps }) => apps['one-time-passcode'].check({ requestId, code: '12345' })],
    [
      'a check of something that is no ULID',
      'requestId',
      ({ apps }) => apps['one-time-passcode'].check({ requestId: 'x', code: '123456' }),
    ],
    ['an unknown field', '', ({ apps }) => apps.payments.send({ ...samples.payments.send, amount: 1 } as never, key)],
    ['no request at all', '', ({ apps }) => apps.payments.bootstrap(undefined as never)],
    ['an empty key', 'idempotencyKey', ({ apps }) => apps.payments.send(samples.payments.send, { idempotencyKey: '' })],
    ['a key with a line break', 'idempotencyKey', ({ apps }) => apps.payments.send(samples.payments.send, { idempotencyKey: 'a\r\nb' })],
    ['an identifier that would change the path', 'id', ({ results }) => results.get('../payments')],
    ['an identifier of dots', 'id', ({ results }) => results.get('..')],
    ['an empty identifier', 'id', ({ requests }) => requests.get('')],
    ['an identifier with a query', 'id', ({ requests }) => requests.cancel('a?b')],
    ['an identifier with a line break', 'id', ({ requests }) => requests.resend(`${requestId}\n`)],
  ];
  for (const [what, path, call] of cases) {
    it(`refuses ${what} before anything is sent`, async () => {
      const error = await failureOf(call(under.make()), InvalidRequestError);
      assert.deepEqual(
        error.errors.map((breach) => breach.path),
        [path],
      );
      assert.equal(error.code, 'invalid_request');
      assert.equal(fateOf(error), 'refused');
      assert.doesNotMatch(error.message, /2025550101|jane/);
      assert.equal(under.service.requests.length, 0);
    });
  }
});
