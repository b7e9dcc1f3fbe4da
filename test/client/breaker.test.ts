import assert from 'node:assert/strict';
import { type ClientOptions, fateOf, ServiceError, TransportError } from '../../src/client/index.ts';
import { type ClientUnderTest, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { type Behaviour, empty, hang, json, reset } from '../support/misbehaving-service.ts';
import { caller, requestId, samples } from '../support/service-samples.ts';

describe('the circuit breaker', () => {
  let under: ClientUnderTest;
  let now = 0;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  const make = (options: Partial<ClientOptions> = {}) =>
    under.make({ breaker: { failures: 3, openFor: 10_000 }, clock: { now: () => now }, ...options });
  type Client = ReturnType<typeof make>;
  const send = (client: Client, options = {}) =>
    client.apps.payments.send(samples.payments.send, { idempotencyKey: requestId, ...options });
  const fail = async (client: Client, times: number, behaviour: Behaviour = empty(500)) => {
    under.service.script(behaviour);
    for (let time = 0; time < times; time++) await assert.rejects(send(client));
  };
  const good = json(200, samples.payments.sent);
  const refused = async (client: Client) => {
    const error = await failureOf(send(client), TransportError);
    assert.equal(error.code, 'circuit_open');
    assert.equal(error.sent, false);
    assert.equal(fateOf(error), 'retry');
  };

  for (const [what, behaviour] of [
    ['answers of 500', empty(500)],
    ['broken connections', reset],
  ] as const) {
    it(`opens after so many ${what} in a row, and then asks nothing of the service`, async () => {
      const client = make();
      await fail(client, 3, behaviour);
      under.service.script(good);
      await refused(client);
      assert.equal(under.service.requests.length, 0);
    });
  }

  it('lets one call through after its pause, and closes when that succeeds', async () => {
    const client = make();
    await fail(client, 3);
    now += 10_000;
    under.service.script(good);
    const probe = send(client);
    await refused(client);
    assert.deepEqual(await probe, samples.payments.sent);
    assert.deepEqual(await send(client), samples.payments.sent);
  });

  it('stays open for as long again when that call fails', async () => {
    const client = make();
    await fail(client, 3);
    now += 10_000;
    await fail(client, 1);
    now += 9_999;
    await refused(client);
    now += 1;
    under.service.script(good);
    await send(client);
  });

  it('lets another through later if that one was aborted', async () => {
    const client = make();
    await fail(client, 3);
    now += 10_000;
    under.service.script(hang);
    await assert.rejects(send(client, { signal: AbortSignal.timeout(30) }), { code: 'aborted' });
    await refused(client);
    now += 10_000;
    under.service.script(good);
    await send(client);
  });

  it('does not stay open for longer because a clock was set back', async () => {
    const client = make();
    await fail(client, 3);
    now -= 600_000;
    under.service.script(good);
    await send(client);
  });

  for (const [what, behaviour] of [
    ['a success', good],
    ['a refusal', empty(422)],
    ['a 429', empty(429)],
    ['an answer that is not the interface', json(200, {})],
  ] as const) {
    it(`counts from the start after ${what}: the service is there`, async () => {
      const client = make();
      await fail(client, 2);
      under.service.script(behaviour);
      await send(client).catch(() => {});
      await fail(client, 2);
      under.service.script(good);
      await send(client);
    });
  }

  it('does not count calls that their callers gave up', async () => {
    const client = make();
    under.service.script(hang);
    for (let time = 0; time < 4; time++) await assert.rejects(send(client, { signal: AbortSignal.timeout(20) }), { code: 'aborted' });
    under.service.script(good);
    await send(client);
  });

  it('ends a call that opens it with the fault that did', async () => {
    const client = make();
    under.service.script(empty(500));
    assert.equal((await failureOf(client.apps.payments.bootstrap(caller), ServiceError)).status, 500);
    assert.equal(under.service.requests.length, 3);
  });

  describe('is separate for each operation', () => {
    const script = (failing: RegExp) =>
      under.service.script((res, seen) => {
        if (failing.test(seen.url)) return empty(500)(res, seen);
        if (/results/.test(seen.url)) return empty(404)(res, seen);
        return json(200, /send/.test(seen.url) ? samples.payments.sent : samples.payments.bootstrapped)(res, seen);
      });
    const others: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
      'a look-up': ({ apps }) => apps.payments.bootstrap(caller),
      "another app's send": ({ apps }) => apps['e-form'].send(samples['e-form'].send, { idempotencyKey: requestId }),
      'a result': ({ results }) => results.get(requestId),
    };
    for (const [what, call] of Object.entries(others)) {
      it(`lets ${what} through while sends of payments fail`, async () => {
        const client = make();
        script(/payments\/send/);
        for (let time = 0; time < 3; time++) await assert.rejects(send(client));
        await refused(client);
        await call(client);
      });
    }

    it('keeps an operation’s probe for that operation, whatever else is called meanwhile', async () => {
      const client = make();
      script(/payments\/send/);
      for (let time = 0; time < 3; time++) await assert.rejects(send(client));
      now += 10_000;
      for (let time = 0; time < 5; time++) await client.results.get(requestId);
      script(/nothing/);
      await send(client);
    });
  });

  it('stays closed if just one result cannot be read', async () => {
    const client = make();
    const broken = '01KAH5Z0V8Q2J9XW3N4M5P6R7T';
    under.service.script((res, seen) => (seen.url.endsWith(broken) ? empty(500) : empty(404))(res, seen));
    for (let time = 0; time < 5; time++) await assert.rejects(client.results.get(broken));
    assert.equal(await client.results.get(requestId), undefined);
  });

  it('opens between results and a service that does not answer at all', async () => {
    const client = make();
    under.service.script(reset);
    await assert.rejects(client.results.get(requestId));
    const error = await failureOf(client.results.get(requestId), TransportError);
    assert.equal(error.code, 'circuit_open');
  });

  it('belongs to one client: another client of the same service is not stopped by it', async () => {
    await fail(make(), 3);
    under.service.script(good);
    await send(make());
  });
});
