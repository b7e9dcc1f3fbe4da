import assert from 'node:assert/strict';
import { Agent } from 'undici';
import { type ClientOptions, createServiceClient, SettingsError, TransportError } from '../../src/client/index.ts';
import { type ClientUnderTest, secretKey, startClientUnderTest } from '../support/client-under-test.ts';
import { failureOf } from '../support/failure-of.ts';
import { hang, hangInBody, json } from '../support/misbehaving-service.ts';
import { caller, samples } from '../support/service-samples.ts';
import { until } from '../support/until.ts';

describe('a client of the service', () => {
  let under: ClientUnderTest;
  before(async () => {
    under = await startClientUnderTest();
  });
  after(() => under.close());

  describe('is refused', () => {
    const table: [string, Partial<ClientOptions>, RegExp][] = [
      ['no address', { baseUrl: '' }, /^baseUrl: /],
      ['an address without a scheme', { baseUrl: 'service.example/api' }, /^baseUrl: /],
      ['an ftp address', { baseUrl: 'ftp://service.example' }, /^baseUrl: /],
      ['a file', { baseUrl: 'file:///etc/passwd' }, /^baseUrl: /],
      ['an address with credentials', { baseUrl: 'https://jane:canary@service.example' }, /^baseUrl: /],
      ['an address with a query', { baseUrl: 'https://service.example/?key=canary' }, /^baseUrl: /],
      ['an address with a fragment', { baseUrl: 'https://service.example/#canary' }, /^baseUrl: /],
      ['an empty key', { secretKey: '' }, /^secretKey: /],
      ['a key with a line break', { secretKey: 'canary\r\nX-Other: 1' }, /^secretKey: /],
      ['a key with a space', { secretKey: 'canary key' }, /^secretKey: /],
      ['a user agent with a line break', { userAgent: 'canary\n' }, /^userAgent: /],
    ];
    for (const [what, option, line] of table) {
      it(`with ${what}, by the name of the option and without quoting it`, () => {
        assert.throws(
          () => createServiceClient({ baseUrl: 'https://service.example', secretKey, ...option }),
          (fault) => {
            assert.ok(fault instanceof SettingsError);
            assert.match(fault.message, line);
            assert.doesNotMatch(fault.message, /canary/);
            return true;
          },
        );
      });
    }

    it('with everything that is wrong named at once', () => {
      const lines = (fault: unknown) => (fault as SettingsError).lines.length === 2;
      assert.throws(() => createServiceClient({ baseUrl: '', secretKey: '' }), lines);
    });
  });

  it('names itself to the service', async () => {
    under.service.script(json(200, samples.payments.bootstrapped));
    await under.make().apps.payments.bootstrap(caller);
    await under.make({ userAgent: 'example/1.0' }).apps.payments.bootstrap(caller);
    assert.deepEqual(
      under.service.requests.map(({ headers }) => headers['user-agent']),
      ['countersign', 'example/1.0'],
    );
  });

  describe('gives a call up', () => {
    const aborted = async (promise: Promise<unknown>, sent: boolean) => {
      const error = await failureOf(promise, TransportError);
      assert.equal(error.code, 'aborted');
      assert.equal(error.sent, sent);
    };

    it('before it begins when its signal has already aborted', async () => {
      under.service.script(hang);
      await aborted(under.make().apps.payments.bootstrap(caller, { signal: AbortSignal.abort() }), false);
      assert.equal(under.service.requests.length, 0);
    });

    for (const [where, behaviour] of [
      ['while it waits for the answer', hang],
      ['in the middle of the answer', hangInBody],
    ] as const) {
      it(`${where}`, async () => {
        const giveUp = new AbortController();
        under.service.script(behaviour);
        const call = under.make().apps.payments.bootstrap(caller, { signal: giveUp.signal });
        await until(() => under.service.requests.length === 1);
        giveUp.abort(new Error('canary'));
        await aborted(call, true);
      });
    }

    it('at once when it still waits for a connection, and then never sends it', async () => {
      const dispatcher = new Agent({ connections: 1 });
      const { apps } = under.make({ dispatcher, bootstrap: 'post' });
      let answerFirst = () => {};
      const good = json(200, samples.payments.bootstrapped);
      under.service.script((res, seen) => {
        answerFirst = () => good(res, seen);
      }, good);
      const first = apps.payments.bootstrap(caller);
      await until(() => under.service.requests.length === 1);
      const giveUp = new AbortController();
      const second = apps.payments.bootstrap({ ...caller, sessionRef: 'given-up' }, { signal: giveUp.signal });
      const third = apps.payments.bootstrap({ ...caller, sessionRef: 'third-one' });
      giveUp.abort();
      await aborted(second, false);
      answerFirst();
      await Promise.all([first, third]);
      assert.deepEqual(
        under.service.requests.map(({ body }) => JSON.parse(body).sessionRef),
        [caller.sessionRef, 'third-one'],
      );
      await dispatcher.destroy();
    });
  });

  describe('closes', () => {
    it('after the calls that run', async () => {
      let answer = () => {};
      under.service.script((res, seen) => {
        answer = () => json(200, samples.payments.bootstrapped)(res, seen);
      });
      const client = under.make();
      const call = client.apps.payments.bootstrap(caller);
      await until(() => under.service.requests.length === 1);
      const closing = client.close();
      answer();
      assert.deepEqual(await call, samples.payments.bootstrapped);
      await closing;
    });

    it('without those that take too long, which end as closed', async () => {
      under.service.script(hang);
      const client = under.make();
      const call = failureOf(client.apps.payments.bootstrap(caller), TransportError);
      await until(() => under.service.requests.length === 1);
      await client.close(10);
      assert.equal((await call).code, 'closed');
    });

    it('for good, twice if need be', async () => {
      const client = under.make();
      await client.close();
      await client.close();
      const error = await failureOf(client.apps.payments.bootstrap(caller), TransportError);
      assert.deepEqual([error.code, error.sent], ['closed', false]);
    });

    it('without closing a dispatcher of its caller’s', async () => {
      const dispatcher = new Agent();
      under.service.script(json(200, samples.payments.bootstrapped));
      await under.make({ dispatcher }).close();
      await under.make({ dispatcher }).apps.payments.bootstrap(caller);
      await dispatcher.close();
      const error = await failureOf(under.make({ dispatcher }).apps.payments.bootstrap(caller), TransportError);
      assert.deepEqual([error.code, error.sent], ['closed', false]);
    });
  });
});
