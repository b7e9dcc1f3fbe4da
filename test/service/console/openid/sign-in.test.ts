import assert from 'node:assert/strict';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { PersonName, TestProvider } from '../../../support/openid-provider.ts';
import { startBesideProvider } from '../../../support/openid-service.ts';
import { makeOpenIdVisitor, type OpenIdVisitor, onwardFrom, type Page } from '../../../support/openid-visitor.ts';
import { startTestService, type TestService } from '../../../support/running-service.ts';
import { statement } from '../../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

onEachDatabase('signing in at the console by an OpenID provider', function (start) {
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
    provider.tamper(() => {});
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
  const sessions = async () => Number((await rows('select count(*) as count from console_sessions'))[0]?.count);
  const isOut = async () => assert.equal((await visitor.get('/console')).status, 401);

  describe('admits', () => {
    const roles: [PersonName, string, string, string][] = [
      ['olga', 'operator', 'olga.berg@example.com (olga)', 'Operator'],
      ['victor', 'viewer', 'victor', 'Viewer'],
    ];
    for (const [who, role, person, shown] of roles) {
      it(`${who}, as ${role}, by name, in their time zone, on to where they were going`, async () => {
        const to = await visitor.leave('/console/requests?app=payments');
        assert.deepEqual(
          ['response_type', 'scope', 'code_challenge_method', 'client_id', 'redirect_uri', 'prompt'].map((name) =>
            to.searchParams.get(name),
          ),
          ['code', 'openid profile email', 'S256', 'console', `${home}/console/sign-in/callback`, null],
        );
        const arrived = await visitor.get((await visitor.choose(to, who)).href);
        assert.equal(arrived.status, 200);
        assert.match(
          String(arrived.headers['set-cookie']),
          /^console=[\w-]{32}; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=28800$/,
        );
        assert.equal(onwardFrom(arrived).href, `${home}/console/requests?app=payments`);
        const page = await visitor.get(onwardFrom(arrived).href);
        assert.equal(page.status, 200);
        assert.match(page.text, new RegExp(`${person.replace(/[()]/g, '\\$&')}.*${shown}`, 's'));
        const [session] = await rows('select * from console_sessions order by created_at desc limit 1');
        assert.deepEqual([session?.person, session?.subject, session?.role, session?.time_zone], [person, who, role, 'Asia/Kathmandu']);
        await visitor.get('/console/customers');
        const access = await lastAccess();
        assert.deepEqual([access?.person, access?.role, access?.action, access?.address], [person, role, 'customers', '127.0.0.1']);
      });
    }
    it('people whose role comes from the provider’s userinfo, if ID tokens are small', async () => {
      const spare = await startBesideProvider(startTestService, { spare: true });
      try {
        const other = makeOpenIdVisitor(spare.home);
        await other.signIn('olga');
        assert.match((await other.get('/console')).text, /olga\.berg@example\.com \(olga\)/);
      } finally {
        await spare.service.close();
        await spare.provider.stop();
      }
    });
    it('with a new secret each time, whatever the browser held before', async () => {
      await visitor.signIn('olga');
      const before = visitor.cookies(home).get('console');
      const planted = makeOpenIdVisitor(home);
      (planted.cookies(home) as Map<string, string>).set('console', 'a'.repeat(32));
      await planted.signIn('olga');
      assert.notEqual(planted.cookies(home).get('console'), 'a'.repeat(32));
      await visitor.signIn('olga').catch(() => {});
      assert.equal(visitor.cookies(home).get('console'), before, 'who is signed in is not signed in again');
    });
    it('people without leading them to another site', async () => {
      for (const to of [
        'https://evil.example/',
        '//evil.example',
        '/\\evil.example',
        '/console/../outbox',
        '/consoles',
        'javascript:alert(1)',
      ]) {
        const other = makeOpenIdVisitor(home);
        const callback = await other.choose(onwardFrom(await other.post('/console/sign-in', { to })), 'olga');
        assert.equal(onwardFrom(await other.get(callback.href)).href, `${home}/console`, to);
      }
    });
  });

  describe('refuses', () => {
    it('people without a role, with an explanation, and logs it', async () => {
      const before = await sessions();
      const page = await visitor.signIn('nora');
      assert.equal(page.status, 403);
      assert.match(page.text, /You have no role here.*Ask whoever assigns roles/s);
      assert.equal(page.headers['set-cookie'], undefined);
      const { person, role, action } = (await lastAccess()) ?? {};
      assert.deepEqual([person, role, action], ['Nora Example (nora)', 'none', 'refused']);
      assert.equal(await sessions(), before);
      await isOut();
    });
    it('people without a role, who can then sign in as somebody else', async () => {
      await visitor.signIn('nora');
      const to = onwardFrom(await visitor.post('/console/sign-in', { to: '/console', anew: 'yes' }));
      assert.equal(to.searchParams.get('prompt'), 'login');
      // Changing people is between the provider and its own pages.
      (visitor.cookies(provider.issuer) as Map<string, string>).clear();
      assert.equal((await visitor.get((await visitor.choose(to, 'olga')).href)).status, 200);
      assert.equal((await visitor.get('/console')).status, 200);
    });
    it('people who cancel at the provider', async () => {
      const page = await visitor.signIn('cancel');
      assert.equal(page.status, 403);
      assert.match(page.text, /You were not signed in.*Try again/s);
      await isOut();
    });

    const detours: [string, Parameters<OpenIdVisitor['signIn']>[1], number][] = [
      ['with another state', { back: ({ searchParams }) => searchParams.set('state', 'a'.repeat(43)) }, 410],
      ['with no state', { back: ({ searchParams }) => searchParams.delete('state') }, 410],
      ['with another nonce in the ID token', { there: ({ searchParams }) => searchParams.set('nonce', 'b'.repeat(43)) }, 403],
      ['with a code for another verifier', { there: ({ searchParams }) => searchParams.set('code_challenge', 'c'.repeat(43)) }, 403],
      ['with a code of another client', { there: ({ searchParams }) => searchParams.set('client_id', 'another') }, 403],
      ['with a code that nobody gave', { back: ({ searchParams }) => searchParams.set('code', 'd'.repeat(43)) }, 403],
      ['with two codes', { back: ({ searchParams }) => searchParams.append('code', 'd'.repeat(43)) }, 403],
      ['from another issuer', { back: ({ searchParams }) => searchParams.set('iss', 'https://evil.example') }, 403],
      ['from no issuer', { back: ({ searchParams }) => searchParams.delete('iss') }, 403],
    ];
    for (const [what, detour, status] of detours) {
      it(`an answer ${what}`, async () => {
        const page = await visitor.signIn('olga', detour);
        assert.equal(page.status, status);
        assert.match(page.text, /This sign-in cannot be used.*Try again/s);
        await isOut();
      });
    }

    const forgeries: [string, (token: string) => string][] = [
      ['whose role was changed', (token) => changed(token, 1, (claims) => (claims.roles = ['countersign-operator']))],
      ['whose signature was changed', (token) => token.replace(/.{4}$/, 'AAAA')],
      [
        'without a signature',
        (token) =>
          `${changed(token, 0, (header) => (header.alg = 'none'))
            .split('.')
            .slice(0, 2)
            .join('.')}.`,
      ],
      ['signed with the client’s own secret', (token) => changed(token, 0, (header) => (header.alg = 'HS256'))],
    ];
    for (const [what, forge] of forgeries) {
      it(`an ID token ${what}`, async () => {
        provider.tamper((answer) => {
          answer.id_token = forge(String(answer.id_token));
        });
        assert.equal((await visitor.signIn('victor')).status, 403);
        await isOut();
      });
    }

    it('a repeated answer', async () => {
      const callback = await visitor.choose(await visitor.leave(), 'olga');
      assert.equal((await visitor.get(callback.href)).status, 200);
      assert.equal((await visitor.get(callback.href)).status, 410);
      const twins = makeOpenIdVisitor(home);
      const again = await twins.choose(await twins.leave(), 'olga');
      const all = await Promise.all(Array.from({ length: 5 }, () => twins.get(again.href)));
      assert.deepEqual(all.map(({ status }) => status).sort(), [200, 410, 410, 410, 410]);
    });
    it('an answer that comes too late', async () => {
      const callback = await visitor.choose(await visitor.leave(), 'olga');
      await time.advance(10 * 60_000, () => service.running.settled());
      assert.equal((await visitor.get(callback.href)).status, 410);
      await isOut();
    });
    it('another browser at somebody’s callback', async () => {
      const callback = await visitor.choose(await visitor.leave(), 'olga');
      const victim = makeOpenIdVisitor(home);
      assert.equal((await victim.get(callback.href)).status, 410);
      await victim.leave();
      assert.equal((await victim.get(callback.href)).status, 410);
      assert.equal((await visitor.get(callback.href)).status, 200, 'and whose it is still may');
    });
    it('a form on another site', async () => {
      const page = await visitor.post('/console/sign-in', { to: '/console' }, { 'sec-fetch-site': 'cross-site' });
      assert.equal(page.status, 403);
      assert.equal(page.headers['set-cookie'], undefined);
    });
    it('people who try too often, with a page that says when to try again', async () => {
      let page: Page | undefined;
      for (let attempt = 0; attempt < 61; attempt += 1) page = await visitor.get('/console/sign-in/callback');
      assert.equal(page?.status, 429);
      assert.ok(Number(page?.headers['retry-after']) > 0);
      assert.match(page?.text ?? '', /Too many attempts/);
    });
  });
});

/** A part of a JWT changed, its signature left as it was. */
const changed = (token: string, index: 0 | 1, change: (part: Record<string, unknown>) => void) => {
  const parts = token.split('.');
  const part = JSON.parse(Buffer.from(parts[index] ?? '', 'base64url').toString());
  change(part);
  parts[index] = Buffer.from(JSON.stringify(part)).toString('base64url');
  return parts.join('.');
};
