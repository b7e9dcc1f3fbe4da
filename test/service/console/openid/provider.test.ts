import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../../../../src/platform/log.ts';
import { pauseMs } from '../../../../src/sign-in/openid/provider.ts';
import { sharedOptions } from '../../../support/each-database.ts';
import { freePort } from '../../../support/free-port.ts';
import { makeTestProvider, type PersonName } from '../../../support/openid-provider.ts';
import { startBesideProvider } from '../../../support/openid-service.ts';
import { makeOpenIdVisitor, type OpenIdVisitor } from '../../../support/openid-visitor.ts';
import { startTestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { makeTestTime } from '../../../support/test-time.ts';
import { until } from '../../../support/until.ts';

describe('a provider that is down', () => {
  it('does not affect customers, is not called for every visit, and lets people in when it is back', async () => {
    const time = makeTestTime();
    const { provider, service, home } = await startBesideProvider(
      startTestService,
      { down: true },
      { clock: time.clock, alarm: time.alarm },
    );
    const visitor = makeOpenIdVisitor(home);
    const settle = () => service.running.settled();
    try {
      assert.equal((await service.call('POST', '/payments/send', { body: sendBody('payments') })).status, 200);
      const first = await visitor.post('/console/sign-in');
      assert.equal(first.status, 503);
      assert.match(first.text, /Signing in is not possible right now.*Customers are not affected/s);
      await provider.start();
      for (let visit = 0; visit < 5; visit += 1) assert.equal((await visitor.post('/console/sign-in')).status, 503);
      assert.equal(provider.asked(), 0);
      await time.advance(pauseMs, settle);
      assert.equal((await visitor.signIn('olga')).status, 200);
      assert.equal((await visitor.get('/console')).status, 200);
      const asked = provider.asked();

      await provider.stop();
      assert.equal((await visitor.get('/console')).status, 200, 'who is in stays in');
      const late = makeOpenIdVisitor(home);
      await provider.start();
      const callback = await late.choose(await late.leave(), 'olga');
      await provider.stop();
      assert.equal((await late.get(callback.href)).status, 503);
      assert.equal(provider.asked(), asked, 'what is known is not asked again');
    } finally {
      await service.close();
      await provider.stop();
    }
  });
});

describe('two replicas beside one provider', () => {
  it('accept once a sign-in that began at one and returns to the other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-sign-in-'));
    const [port, other] = [await freePort(), await freePort()];
    const home = `http://localhost:${port}`;
    const provider = await makeTestProvider({ redirectUris: [`${home}/console/sign-in/callback`] });
    await provider.start();
    const shared = { ...(await sharedOptions(folder)), publicUrl: home, openId: provider.settings };
    const first = await startTestService({ ...shared, port });
    const second = await startTestService({ ...shared, port: other });
    try {
      const visitor = makeOpenIdVisitor(home);
      const callback = await visitor.choose(await visitor.leave(), 'olga');
      const cookie = [...visitor.cookies(home)].map(([name, value]) => `${name}=${value}`).join('; ');
      const back = { headers: { cookie } };
      const all = await Promise.all(
        [second, first, second, first].map((replica) => replica.open('GET', `${callback.pathname}${callback.search}`, back)),
      );
      assert.deepEqual(all.map(({ status }) => status).sort(), [200, 410, 410, 410]);
      const [session = ''] = String(all.find(({ status }) => status === 200)?.headers['set-cookie']).split(';');
      for (const replica of [first, second]) {
        assert.equal((await replica.open('GET', '/console', { headers: { cookie: session } })).status, 200);
      }
      await first.open('POST', '/console/sign-out', { headers: { cookie: session }, body: new URLSearchParams() });
      assert.equal((await second.open('GET', '/console', { headers: { cookie: session } })).status, 401);
    } finally {
      await Promise.all([first.close(), second.close()]);
      await provider.stop();
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the log of sign-ins', () => {
  it('says what went wrong, without personal data', async () => {
    const lines: string[] = [];
    const log = makeLog('debug', { write: (line: string) => void lines.push(line) });
    const { provider, service, home } = await startBesideProvider(startTestService, {}, { log });
    try {
      const seen: string[] = [];
      const visits: [PersonName | 'cancel', Parameters<OpenIdVisitor['signIn']>[1]][] = [
        ['olga', {}],
        ['nora', {}],
        ['victor', { back: ({ searchParams }) => searchParams.set('code', 'canary-code') }],
        ['cancel', { back: ({ searchParams }) => searchParams.set('error', 'Canary error, with words') }],
      ];
      for (const [who, detour] of visits) {
        const visitor = makeOpenIdVisitor(home);
        await visitor.signIn(who, {
          ...detour,
          there: ({ searchParams }) => seen.push(searchParams.get('state') ?? '', searchParams.get('nonce') ?? ''),
        });
        seen.push(...visitor.cookies(home).values());
        await visitor.post('/console/sign-out');
      }
      const all = lines.join('');
      for (const reason of ['"reason":"invalid_grant"', '"reason":"unknown"', '"code":"sign_in_doubtful"'])
        assert.ok(all.includes(reason), reason);
      for (const word of ['olga', 'nora', 'victor', 'Berg', 'example.com', 'anary', 'eyJ', provider.settings.clientSecret, ...seen])
        assert.ok(!all.includes(word), word);
    } finally {
      await service.close();
      await provider.stop();
    }
  });

  it('reports that the provider cannot be used, and that it works again', async () => {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line: string) => void lines.push(line) });
    const time = makeTestTime();
    const { provider, service, home } = await startBesideProvider(
      startTestService,
      { down: true },
      { log, clock: time.clock, alarm: time.alarm },
    );
    try {
      await until(() => lines.some((line) => /"level":"error".*ECONNREFUSED.*nobody can sign in/.test(line)), 'the word that it is away');
      await provider.start();
      await time.advance(pauseMs, () => service.running.settled());
      await makeOpenIdVisitor(home).signIn('olga');
      assert.ok(lines.some((line) => line.includes('people can sign in')));
    } finally {
      await service.close();
      await provider.stop();
    }
  });
});
