import assert from 'node:assert/strict';
import { appIds, apps, resultRecords } from '../../../../src/contract/index.ts';
import { assertProblem } from '../../../support/assert-problem.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { Reply, TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { itSample } from '../../../support/tier.ts';

onEachDatabase('the interface of the service', (startTestService) => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const caller = { phoneNumber: '+12025550101', sessionRef: 'session-0001' };

  for (const id of appIds) {
    const { path, response } = apps[id].operations.bootstrap;
    // One schema checks what all apps have in common.
    const itFor = itSample(id === 'payments');
    describe(`${id} bootstrap`, () => {
      const ways: [string, () => Promise<Reply>][] = [
        ['GET with a body', () => service.call('GET', path, { body: caller })],
        ['GET with a query', () => service.call('GET', `${path}?${new URLSearchParams(caller)}`)],
        ['GET with a query whose plus is not escaped', () => service.call('GET', `${path}?phoneNumber=+12025550101`)],
        ['POST with a body', () => service.call('POST', path, { body: caller })],
      ];
      for (const [way, ask] of ways) {
        itFor(`answers ${way} as the contract says`, async () => {
          const { status, json } = await ask();
          assert.equal(status, 200);
          const { customers } = response.parse(json);
          assert.deepEqual(
            customers.map(({ id }) => id),
            ['cust-0101-avery', 'cust-0101-jordan'],
          );
        });
      }
      for (const number of ['+12025550199', '+4915112345678']) {
        itFor(`lists no customer for ${number}, and is no error`, async () => {
          const { status, json } = await service.call('POST', path, { body: { ...caller, phoneNumber: number } });
          assert.equal(status, 200);
          assert.deepEqual(json.customers, []);
        });
      }
      it('lists only the named customer when a reference is given', async () => {
        const { json } = await service.call('POST', path, { body: { ...caller, customerRef: 'cust-0101-jordan' } });
        assert.deepEqual(
          json.customers.map(({ id }: { id: string }) => id),
          ['cust-0101-jordan'],
        );
      });
      const bad: [string, object, string][] = [
        ['no phone number', { phoneNumber: undefined }, 'phoneNumber'],
        ['a national phone number', { phoneNumber: '2025550101' }, 'phoneNumber'],
        ['a number as phone number', { phoneNumber: 12025550101 }, 'phoneNumber'],
        ['a short session reference', { sessionRef: '1234567' }, 'sessionRef'],
        ['a long session reference', { sessionRef: 'x'.repeat(65) }, 'sessionRef'],
        ['a session reference with a space', { sessionRef: 'session 0001' }, 'sessionRef'],
        ['a customer reference with a slash', { customerRef: 'cust/0101' }, 'customerRef'],
        ['an unknown field', { surprise: true }, 'surprise'],
      ];
      for (const [what, change, at] of bad) {
        itFor(`refuses ${what}`, async () => {
          assertProblem(await service.call('POST', path, { body: { ...caller, ...change } }), 422, 'invalid_request', at);
        });
      }
      it('refuses a query field that is given twice', async () => {
        assertProblem(
          await service.call('GET', `${path}?phoneNumber=%2B12025550101&phoneNumber=%2B12025550102`),
          422,
          'invalid_request',
          'phoneNumber',
        );
      });
    });
  }

  describe('what bootstraps list', () => {
    it('shows who has enrolled a passkey, and when it was last used', async () => {
      const { json } = await service.call('POST', '/passkeys/bootstrap', { body: caller });
      assert.deepEqual(
        json.customers.map(({ isEnrolled }: { isEnrolled: boolean }) => isEnrolled),
        [true, false],
      );
      assert.equal(json.authentication.customerRef, 'cust-0101-avery');
    });
    it('answers the passkeys configuration with no body at all', async () => {
      const { status, json } = await service.call('GET', '/passkeys/bootstrap');
      assert.equal(status, 200);
      assert.deepEqual(json, { customers: [], authentication: null });
    });
    it('asks for a session on the passkeys enrolment check', async () => {
      const reply = await service.call('POST', '/passkeys/bootstrap', { body: { phoneNumber: '+12025550101' } });
      assertProblem(reply, 422, 'invalid_request', 'sessionRef');
    });
    it('lists three products in two currencies and three documents with variables of several types', async () => {
      const products = (await service.call('POST', '/payments/bootstrap', { body: caller })).json.products as { currency: string }[];
      assert.ok(products.length >= 3);
      assert.equal(new Set(products.map(({ currency }) => currency)).size, 2);
      const documents = (await service.call('POST', '/document-signature/bootstrap', { body: caller })).json.documents as {
        variables: { type: string }[];
      }[];
      assert.ok(documents.length >= 3);
      assert.ok(new Set(documents.flatMap(({ variables }) => variables.map(({ type }) => type))).size >= 5);
    });
  });

  describe('reading requests', () => {
    const unknown = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
    it('answers an unknown and an unfinished result with the same body', async () => {
      const { requestId } = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json;
      const unfinished = await service.call('GET', `/results/${requestId}`);
      const missing = await service.call('GET', `/results/${unknown}`);
      assertProblem(unfinished, 404, 'not_found');
      assert.equal(unfinished.text, missing.text);
    });
    for (const path of ['/results/nothing', '/requests/nothing', `/results/${unknown.slice(1)}`]) {
      it(`refuses GET ${path}, which is not a ULID`, async () => {
        assertProblem(await service.call('GET', path), 422, 'invalid_request', 'id');
      });
    }
    it('reads a result by an identifier in small letters', async () => {
      const { requestId } = (await service.call('POST', '/e-form/send', { body: shortForm() })).json;
      const [message] = await service.outbox();
      await service.open('POST', message?.link ?? '', { body: new URLSearchParams(shortAnswer) });
      const { status, json } = await service.call('GET', `/results/${requestId.toLowerCase()}`);
      assert.equal(status, 200);
      resultRecords['e-form'].parse(json);
    });
  });

  describe('requests that fail before their fields are checked', () => {
    const path = '/payments/send';
    const body = sendBody('payments');
    const cases: [string, number, string, () => Promise<Reply>][] = [
      ['broken JSON', 400, 'malformed_json', () => service.call('POST', path, { body: '{' })],
      ['JSON nested too deep', 400, 'too_deep', () => service.call('POST', path, { body: '['.repeat(40) + ']'.repeat(40) })],
      ['a list', 422, 'invalid_request', () => service.call('POST', path, { body: [] })],
      ['no body', 422, 'invalid_request', () => service.call('POST', path)],
      ['a body over 64 KB', 413, 'too_large', () => service.call('POST', path, { body: { ...body, x: 'x'.repeat(70_000) } })],
      ['a form', 415, 'unsupported_media_type', () => service.call('POST', path, { body: new URLSearchParams({ a: 'b' }) })],
      ['text', 415, 'unsupported_media_type', () => service.call('POST', path, { body: '{}', headers: { 'content-type': 'text/plain' } })],
      ['no type', 415, 'unsupported_media_type', () => service.call('POST', path, { body: '{}', headers: { 'content-type': '' } })],
      [
        'a content encoding',
        415,
        'unsupported_encoding',
        () => service.call('POST', path, { body, headers: { 'content-encoding': 'gzip' } }),
      ],
      ['an unknown address', 404, 'not_found', () => service.call('GET', '/payments/nothing')],
      ['a wrong method', 405, 'method_not_allowed', () => service.call('DELETE', path)],
      [
        'a useless idempotency key',
        400,
        'malformed_idempotency_key',
        () => service.call('POST', path, { body, headers: { 'idempotency-key': 'two words' } }),
      ],
    ];
    for (const [what, status, code, ask] of cases) {
      it(`answers ${what} with ${status} ${code}`, async () => assertProblem(await ask(), status, code));
    }
    it('names the allowed methods', async () => {
      assert.match(String((await service.call('DELETE', path)).headers.allow), /POST/);
    });
    it('keeps a given request id', async () => {
      const { headers } = await service.call('GET', '/healthz', { headers: { 'x-request-id': 'trace-0001' } });
      assert.equal(headers['x-request-id'], 'trace-0001');
    });
  });

  it('reports that it is live and ready', async () => {
    for (const path of ['/healthz', '/readyz']) assert.equal((await service.open('GET', path)).status, 200);
  });
});

onEachDatabase('the quotas of the service', (startTestService) => {
  let service: TestService;
  afterEach(() => service.close());

  it('answers too many calls with 429, when to come back, and the quota', async () => {
    service = await startTestService({ limits: { callsPerAccount: { points: 2, seconds: 60 } } });
    const ask = (phoneNumber = '+12025550102') => service.call('POST', '/payments/bootstrap', { body: { phoneNumber } });
    const first = await ask();
    assert.equal(first.status, 200);
    assert.equal(first.headers['ratelimit-policy'], '"calls";q=2;w=60');
    assert.match(String(first.headers.ratelimit), /^"calls";r=1;t=\d+$/);
    // What is refused for another reason has been counted as well.
    const wrong = await ask('canary');
    assertProblem(wrong, 422, 'invalid_request', 'phoneNumber');
    assert.match(String(wrong.headers.ratelimit), /^"calls";r=0;t=\d+$/);
    const refused = await ask();
    assertProblem(refused, 429, 'rate_limited');
    assert.ok(Number(refused.headers['retry-after']) > 0);
    assert.equal(refused.headers['ratelimit-limit'], '2');
    assert.equal(refused.headers['ratelimit-remaining'], '0');
    assert.match(String(refused.headers.ratelimit), /^"calls";r=0;t=\d+$/);
  });

  it('sends no more messages to a number than the quota allows, and counts each number alone', async () => {
    service = await startTestService({ limits: { messagesPerDestination: { points: 1, seconds: 60 } } });
    const send = (ending: '0102' | '0110') => service.call('POST', '/payments/send', { body: sendBody('payments', ending) });
    assert.equal((await send('0102')).status, 200);
    assertProblem(await send('0102'), 429, 'rate_limited');
    assert.equal((await send('0110')).status, 200);
    assert.equal((await service.outbox()).length, 2);
  });
});
