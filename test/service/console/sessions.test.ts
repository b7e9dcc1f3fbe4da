import assert from 'node:assert/strict';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestProvider } from '../../support/openid-provider.ts';
import { startBesideProvider } from '../../support/openid-service.ts';
import { makeOpenIdVisitor, type OpenIdVisitor, onwardFrom } from '../../support/openid-visitor.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { everythingIn, statement } from '../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

onEachDatabase('a session that an OpenID provider gave', function (start) {
  this.timeout(60_000);
  let provider: TestProvider;
  let service: TestService;
  let home: string;
  let time: TestTime;
  let visitor: OpenIdVisitor;
  before(async () => {
    time = makeTestTime();
    ({ provider, service, home } = await startBesideProvider(start, {}, { clock: time.clock, alarm: time.alarm }));
  });
  beforeEach(async () => {
    visitor = makeOpenIdVisitor(home);
    // The limit on attempts is tried by itself; and nothing that a restart makes is of the same instant as what was
    // there.
    await service.restart();
    await time.advance(1000, () => service.running.settled());
  });
  after(async () => {
    await service?.close();
    await provider?.stop();
  });

  const rows = (text: string, ...values: (string | number)[]) => statement(service, text, ...values);
  const lastAccess = async () => (await rows('select * from console_accesses order by id desc limit 1'))[0];
  const isOut = async () => assert.equal((await visitor.get('/console')).status, 401);

  describe('ends', () => {
    it('with signing out, here and at the provider', async () => {
      await visitor.signIn('olga');
      const held = visitor.cookies(home).get('console') ?? '';
      const out = await visitor.post('/console/sign-out');
      assert.match(String(out.headers['set-cookie']), /^console=; .*Max-Age=0$/);
      const url = onwardFrom(out);
      assert.equal(`${url.origin}${url.pathname}`, `${provider.issuer}/session/end`);
      const [, payload = ''] = (url.searchParams.get('id_token_hint') ?? '').split('.');
      assert.equal(JSON.parse(Buffer.from(payload, 'base64url').toString()).sub, 'olga');
      assert.match((await visitor.get(url.href)).text, /Sign out\?/);
      (visitor.cookies(home) as Map<string, string>).set('console', held);
      await isOut();
      assert.equal((await lastAccess())?.action, 'sign-out');
    });
    it('after an hour without a visit', async () => {
      await visitor.signIn('olga');
      const minute = 60_000;
      for (let visit = 0; visit < 3; visit += 1) {
        await time.advance(58 * minute, () => service.running.settled());
        assert.equal((await visitor.get('/console')).status, 200);
      }
      await time.advance(61 * minute, () => service.running.settled());
      await isOut();
    });
    it('after eight hours, however many the visits', async () => {
      await visitor.signIn('olga');
      for (let visit = 0; visit < 15; visit += 1) {
        await time.advance(30 * 60_000, () => service.running.settled());
        assert.equal((await visitor.get('/console')).status, 200);
      }
      await time.advance(30 * 60_000, () => service.running.settled());
      await isOut();
    });
  });

  it('stores nothing that gives access to the console, or identifies somebody beyond their name', async () => {
    const to = await visitor.leave();
    const under = await everythingIn(service);
    for (const name of ['state', 'nonce']) assert.ok(!under.includes(to.searchParams.get(name) ?? name));
    assert.ok(!under.includes(visitor.cookies(home).get('console-sign-in') ?? 'console-sign-in'));
    await visitor.get((await visitor.choose(to, 'olga')).href);
    const stored = await everythingIn(service);
    for (const secret of [visitor.cookies(home).get('console') ?? 'console', 'payroll']) assert.ok(!stored.includes(secret), secret);
    assert.doesNotMatch(stored, /eyJ[\w-]{10,}\.[\w-]{10,}\./, 'a token of the provider');
  });

  it('names people in the audit trail by their subject only', async () => {
    const { requestId } = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json;
    await visitor.signIn('olga');
    await visitor.post(`/console/requests/${requestId}/cancel`);
    const { entries } = (await service.call('GET', `/requests/${requestId}/audit`)).json;
    assert.equal(entries.at(-1).actor, 'operator:olga');
  });

  it('binds the cookie to the host itself if the connection is secure', async () => {
    const overrides = { publicUrl: 'https://verify.example.com' };
    const away = await startBesideProvider(
      startTestService,
      { redirectUris: ['https://verify.example.com/console/sign-in/callback'] },
      overrides,
    );
    try {
      const page = await away.service.open('POST', '/console/sign-in', { body: new URLSearchParams() });
      assert.match(
        String(page.headers['set-cookie']),
        /^__Host-console-sign-in=[\w-]{32}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
      );
      assert.equal(away.service.running.consoleUrl, 'https://verify.example.com/console');
      const headers = { host: 'verify.example.com', 'x-forwarded-for': '203.0.113.7' };
      assert.equal((await away.service.open('GET', '/console', { headers })).status, 401);
      assert.equal((await away.service.open('GET', '/console/sign-in/abcdefghijklmnopqrstuvwxyz012345')).status, 404);
    } finally {
      await away.service.close();
      await away.provider.stop();
    }
  });
});
