import assert from 'node:assert/strict';
import { type ClientOptions, createServiceClient, fateOf, ServiceError, TransportError } from '../../src/client/index.ts';
import { idempotencyInFlight } from '../../src/contract/index.ts';
import { type ClientUnderTest, secretKey, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { empty, hang, json, raw, refuse, reset } from '../support/misbehaving-service.ts';
import { caller, requestId, samples } from '../support/service-samples.ts';

describe('a call that is tried again', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  const send = (options: Partial<ClientOptions> = {}) =>
    under.make(options).apps.payments.send(samples.payments.send, { idempotencyKey: requestId });
  const bootstrap = (options: Partial<ClientOptions> = {}) => under.make(options).apps.payments.bootstrap(caller);
  const good = json(200, samples.payments.sent);
  const honoured = { idempotent: true };
  const impatient = { timeouts: { call: 400 }, random: () => 0 };

  it('is the same send to the letter, key included', async () => {
    under.service.script(reset, empty(502), good);
    assert.deepEqual(await send(honoured), samples.payments.sent);
    const [first, ...others] = under.service.requests;
    assert.equal(others.length, 2);
    for (const other of others) {
      assert.equal(other.body, first?.body);
      assert.equal(other.headers['idempotency-key'], requestId);
    }
  });

  it('waits for a send that is still in flight under the same key', async () => {
    under.service.script(refuse(409, idempotencyInFlight), empty(409), good);
    assert.deepEqual(await send(honoured), samples.payments.sent);
    assert.deepEqual(under.pauses, [100, 200]);
  });

  it('ends with an unknown fate for a send that stays in flight', async () => {
    under.service.script(refuse(409, idempotencyInFlight));
    const error = await failureOf(send(honoured), ServiceError);
    assert.equal(error.status, 409);
    assert.equal(fateOf(error), 'unknown');
    // Asked for as long as a slow send may take, and not for ever.
    assert.equal(under.service.requests.length, 12);
  });

  it('is a send that was answered too late, under the same key', async () => {
    under.service.script(hang, refuse(409, idempotencyInFlight), good);
    assert.deepEqual(await send({ ...honoured, ...impatient }), samples.payments.sent);
    assert.deepEqual(new Set(under.service.requests.map(({ headers }) => headers['idempotency-key'])), new Set([requestId]));
    assert.equal(under.service.requests.length, 3);
  });

  it('is given up after two and a half times the patience of one attempt, its fate unknown', async () => {
    under.service.script(hang);
    const error = await failureOf(send({ ...honoured, ...impatient }), TransportError);
    assert.equal(error.code, 'timeout');
    assert.equal(fateOf(error), 'unknown');
    assert.equal(under.service.requests.length, 3);
  });

  it('is not a send that was answered too late by a service that is not known to honour keys', async () => {
    under.service.script(hang, good);
    const error = await failureOf(send({ timeouts: { call: 60 } }), TransportError);
    assert.equal(fateOf(error), 'unknown');
    assert.equal(under.service.requests.length, 1);
  });

  it('is not a send that met a 409 of a service that is not known to honour keys', async () => {
    under.service.script(empty(409));
    const error = await failureOf(send(), ServiceError);
    assert.equal(fateOf(error), 'refused');
    assert.equal(under.service.requests.length, 1);
  });

  for (const status of [401, 422, 429]) {
    it(`keeps the doubt of a lost attempt when the next one is refused with ${status}`, async () => {
      under.service.script(reset, empty(status));
      const error = await failureOf(send(honoured), ServiceError);
      assert.equal(error.status, status);
      assert.equal(error.sentBefore, true);
      assert.equal(fateOf(error), 'unknown');
    });

    it(`has no doubt about a send that was refused with ${status} at once`, async () => {
      under.service.script(empty(status));
      assert.notEqual(fateOf(await failureOf(send(honoured), ServiceError)), 'unknown');
    });
  }

  it('stays in doubt after a lost attempt if later attempts are refused, once temporarily', async () => {
    under.service.script(reset, empty(429, { 'Retry-After': '0' }), empty(422));
    const error = await failureOf(send(honoured), ServiceError);
    assert.equal(error.status, 422);
    assert.equal(fateOf(error), 'unknown');
    assert.equal(under.service.requests.length, 3);
  });

  it('keeps the doubt of a lost attempt when the next one could not be sent and the last is refused', async () => {
    under.service.script((res) => {
      under.service.resetConnections(true);
      reset(res, under.service.requests[0] as never);
    }, empty(422));
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
      if (pauses === 2) under.service.resetConnections(false);
    };
    const error = await failureOf(send({ ...honoured, pause }), ServiceError);
    assert.equal(fateOf(error), 'unknown');
    assert.equal(under.service.requests.length, 2);
  });

  it('keeps the doubt of a lost attempt when the next one cannot even be sent', async () => {
    under.service.script((res) => {
      under.service.resetConnections(true);
      reset(res, under.service.requests[0] as never);
    });
    const error = await failureOf(send(honoured), TransportError);
    under.service.resetConnections(false);
    assert.equal(error.sent, true);
    assert.equal(under.service.requests.length, 1);
  });

  const now = Date.parse('2026-11-20T08:30:00.000Z');
  const clock = { now: () => now };
  const patient = { timeouts: { call: 10 * 60_000 }, clock };
  for (const [what, headers, wait] of [
    ['seconds', { 'Retry-After': '7' }, 7_000],
    ['no seconds at all', { 'Retry-After': '0' }, 0],
    ['a date', { 'Retry-After': 'Fri, 20 Nov 2026 08:30:09 GMT', Date: 'Fri, 20 Nov 2026 08:30:00 GMT' }, 9_000],
    [
      'a date by a clock ten minutes fast',
      { 'Retry-After': 'Fri, 20 Nov 2026 08:40:09 GMT', Date: 'Fri, 20 Nov 2026 08:40:00 GMT' },
      9_000,
    ],
    ['a date that has passed', { 'Retry-After': 'Fri, 20 Nov 2026 08:29:09 GMT', Date: 'Fri, 20 Nov 2026 08:30:00 GMT' }, 0],
    ['a day', { 'Retry-After': '86400' }, 300_000],
    ['nonsense', { 'Retry-After': 'soon' }, 0],
  ] as const) {
    for (const status of [429, 503]) {
      it(`keeps a Retry-After of ${what} on a ${status}, with jitter on top`, async () => {
        under.service.script(empty(status, headers), json(200, samples.payments.bootstrapped));
        await bootstrap(patient);
        assert.deepEqual(under.pauses, [wait + 100]);
      });
    }
  }

  const sends = {
    'a send': send,
    'a check': (options: Partial<ClientOptions> = {}) => under.make(options).apps['one-time-passcode'].check({ requestId, code: '123456' }),
  };
  const sure = [
    ['429', (after: string) => empty(429, { 'Retry-After': after })],
    ["503 in the service's own words", (after: string) => refuse(503, 'unavailable', { 'Retry-After': after })],
  ] as const;
  for (const [what, call] of Object.entries(sends)) {
    for (const [refusal, answer] of sure) {
      it(`is ${what} that was surely refused with ${refusal}, after the 10 s that the service asked for`, async () => {
        under.service.script(answer('10'), json(200, { ...samples.payments.sent, codeMatch: true }));
        await call();
        assert.equal(under.service.requests.length, 2);
        assert.deepEqual(under.pauses, [10_100]);
      });

      it(`is not ${what} that was refused with ${refusal} for longer`, async () => {
        under.service.script(answer('11'));
        assert.equal(fateOf(await failureOf(call(), ServiceError)), 'retry');
        assert.equal(under.service.requests.length, 1);
      });
    }

    for (const [refusal, behaviour] of [
      ['429 without a word on when', empty(429)],
      ['503 of a proxy', empty(503, { 'Retry-After': '1' })],
      ['500', empty(500, { 'Retry-After': '1' })],
    ] as const) {
      it(`is not ${what} that met ${refusal}`, async () => {
        under.service.script(behaviour);
        await failureOf(call(), ServiceError);
        assert.equal(under.service.requests.length, 1);
      });
    }
  }

  it('is given up at once when Retry-After goes beyond its deadline, and says how long', async () => {
    under.service.script(empty(503, { 'Retry-After': '30' }));
    const error = await failureOf(bootstrap(), ServiceError);
    assert.equal(error.retryAfter, 30_000);
    assert.equal(under.service.requests.length, 1);
    assert.deepEqual(under.pauses, []);
  });

  it('ends when its caller gives up during a pause', async () => {
    const giveUp = new AbortController();
    under.service.script(empty(503));
    const { apps } = under.make({ pause: async () => giveUp.abort() });
    const error = await failureOf(apps.payments.bootstrap(caller, { signal: giveUp.signal }), TransportError);
    assert.equal(error.code, 'aborted');
    assert.equal(under.service.requests.length, 1);
  });

  it('pauses in real time by default', async () => {
    under.service.script(empty(503), json(200, samples.payments.bootstrapped));
    const client = createServiceClient({ baseUrl: under.service.baseUrl, secretKey, random: () => 0.25 });
    const started = performance.now();
    await client.apps.payments.bootstrap(caller);
    assert.ok(performance.now() - started >= 45);
    await client.close();
  });

  it('is not made after an answer that breaks the interface', async () => {
    under.service.script(raw(200, 'garbage', { 'Content-Type': 'application/json' }), good);
    await assert.rejects(send(honoured), { code: 'not_json' });
    assert.equal(under.service.requests.length, 1);
  });
});
