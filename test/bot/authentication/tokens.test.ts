import assert from 'node:assert/strict';
import { AppCredentials, type AuthenticatorResult, type ServiceClientCredentialsFactory } from 'botframework-connector';
import { useFakeTimers } from 'sinon';
import { makeTokenSource, TokenError } from '../../../src/bot/authentication/tokens.ts';

const anHour = 60 * 60_000;

describe('access tokens', () => {
  let refreshes: { audience: string; answer: (result: Promise<AuthenticatorResult>) => void }[];
  let ids = 0;

  /** The Bot Framework's own credentials, with the request to the authority in the hands of the test. */
  class LocalCredentials extends AppCredentials {
    protected override refreshToken(): Promise<AuthenticatorResult> {
      return new Promise((resolve) => refreshes.push({ audience: this.oAuthScope, answer: resolve }));
    }
  }
  const source = (deadline = 5000) => {
    // The stock credentials share one cache per process, so every source is another app.
    const appId = `app-${ids++}`;
    const credentials: ServiceClientCredentialsFactory = {
      isValidAppId: async (id) => id === appId,
      isAuthenticationDisabled: async () => false,
      createCredentials: async (id, audience) =>
        new LocalCredentials(id, undefined, audience) as unknown as Awaited<
          ReturnType<ServiceClientCredentialsFactory['createCredentials']>
        >,
    };
    return makeTokenSource(credentials, appId, deadline);
  };
  const token = (accessToken: string, lifetime = anHour) => Promise.resolve({ accessToken, expiresOn: new Date(Date.now() + lifetime) });
  const asked = async (count: number) => {
    for (let turn = 0; turn < 100 && refreshes.length < count; turn++) await Promise.resolve();
    assert.equal(refreshes.length, count);
  };

  beforeEach(() => {
    refreshes = [];
  });

  it('asks the authority once for all who wait, and caches its answer', async () => {
    const { get } = source()('https://api.botframework.com');
    const waiting = [get(), get(), get()];
    await asked(1);
    refreshes[0]?.answer(token('t1'));
    assert.deepEqual(await Promise.all(waiting), ['t1', 't1', 't1']);
    assert.equal(await get(), 't1');
    assert.equal(refreshes.length, 1);
  });

  it('keeps one token per audience', async () => {
    const tokens = source();
    const [one, two] = [tokens('one').get(), tokens('two').get()];
    await asked(2);
    for (const { audience, answer } of refreshes) answer(token(audience));
    assert.deepEqual([await one, await two], ['one', 'two']);
    assert.equal(tokens('one'), tokens('one'));
  });

  it('renews a token five minutes before it ends', async () => {
    const clock = useFakeTimers({ toFake: ['Date'] });
    try {
      const { get } = source()('a');
      const first = get();
      await asked(1);
      refreshes[0]?.answer(token('t1'));
      assert.equal(await first, 't1');
      clock.setSystemTime(Date.now() + anHour - 6 * 60_000);
      assert.equal(await get(), 't1');
      clock.setSystemTime(Date.now() + 2 * 60_000);
      const second = get();
      await asked(2);
      refreshes[1]?.answer(token('t2'));
      assert.equal(await second, 't2');
    } finally {
      clock.restore();
    }
  });

  it('replaces a token that was refused', async () => {
    const { get, renew } = source()('a');
    const first = get();
    await asked(1);
    refreshes[0]?.answer(token('t1'));
    await first;
    renew();
    const second = get();
    await asked(2);
    refreshes[1]?.answer(token('t2'));
    assert.equal(await second, 't2');
    assert.equal(await get(), 't2');
  });

  it("reports the authority's error code without its text, and asks again the next time", async () => {
    const { get } = source()('a');
    const first = get();
    await asked(1);
    refreshes[0]?.answer(Promise.reject(Object.assign(new Error('the secret hunter2 is wrong'), { errorCode: 'invalid_client' })));
    await assert.rejects(first, (fault) => {
      assert.ok(fault instanceof TokenError);
      assert.deepEqual([fault.code, fault.reason], ['token_refused', 'invalid_client']);
      assert.doesNotMatch(`${fault.message} ${fault.stack} ${fault.reason}`, /hunter2/);
      return true;
    });
    const second = get();
    await asked(2);
    refreshes[1]?.answer(token('t2'));
    assert.equal(await second, 't2');
  });

  it('gives up on an authority that does not answer, and asks anew', async () => {
    const { get } = source(20)('a');
    await assert.rejects(get(), (fault) => fault instanceof TokenError && fault.code === 'token_timeout');
    const second = get();
    await asked(2);
    refreshes[1]?.answer(token('t2'));
    assert.equal(await second, 't2');
  });
});
