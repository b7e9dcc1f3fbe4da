import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLog } from '../../src/platform/log.ts';
import { pauseMs } from '../../src/service/console/openid/provider.ts';
import { onEachDatabase, type StartTestService, sharedOptions } from '../support/each-database.ts';
import { makeTestProvider, type PersonName, type TestProvider, type TestProviderOptions } from '../support/openid-provider.ts';
import { makeOpenIdVisitor, type OpenIdVisitor, onwardFrom, type Page } from '../support/openid-visitor.ts';
import { freePort } from '../support/process.ts';
import { startTestService, type TestService } from '../support/running-service.ts';
import { sendBody } from '../support/sends.ts';
import { everythingIn, statement } from '../support/service-database.ts';
import { makeTestTime, type TestTime } from '../support/test-time.ts';
import { until } from '../support/until.ts';

/** A service whose console people sign in to at a provider, as in production. */
const startBeside = async (
  start: StartTestService,
  more: Partial<TestProviderOptions> & { readonly down?: boolean } = {},
  overrides: Parameters<StartTestService>[0] = {},
) => {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const { down = false, ...options } = more;
  const provider = await makeTestProvider({ redirectUris: [`${home}/console/sign-in/callback`], ...options });
  if (!down) await provider.start();
  const delivery = { deliver: async () => ({ accepted: true }) as const };
  const service = await start({ port, demo: false, delivery, openId: provider.settings, ...overrides });
  return { provider, service, home };
};

onEachDatabase('signing in at the console by an OpenID provider', function (start) {
  this.timeout(60_000);
  let provider: TestProvider;
  let service: TestService;
  let home: string;
  let time: TestTime;
  let visitor: OpenIdVisitor;
  before(async () => {
    time = makeTestTime();
    ({ provider, service, home } = await startBeside(start, {}, { clock: time.clock, alarm: time.alarm }));
  });
  beforeEach(async () => {
    visitor = makeOpenIdVisitor(home);
    provider.tamper(() => {});
    // The limit on attempts is tried by itself; and nothing that a restart makes is of the same instant as what was there.
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

  describe('lets in', () => {
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
    it('whoever it asks the provider about, where ID tokens are small', async () => {
      const spare = await startBeside(startTestService, { spare: true });
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
    it('nobody to an address elsewhere', async () => {
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

  describe('sends away', () => {
    it('whoever has no role, kindly, and records it', async () => {
      const before = await sessions();
      const page = await visitor.signIn('nora');
      assert.equal(page.status, 403);
      assert.match(page.text, /You have no role here.*Ask whoever gives out roles/s);
      assert.equal(page.headers['set-cookie'], undefined);
      const { person, role, action } = (await lastAccess()) ?? {};
      assert.deepEqual([person, role, action], ['Nora Example (nora)', 'none', 'refused']);
      assert.equal(await sessions(), before);
      await isOut();
    });
    it('whoever has none, to be asked again who they are', async () => {
      await visitor.signIn('nora');
      const to = onwardFrom(await visitor.post('/console/sign-in', { to: '/console', anew: 'yes' }));
      assert.equal(to.searchParams.get('prompt'), 'login');
      // Changing people is between the provider and its own pages.
      (visitor.cookies(provider.issuer) as Map<string, string>).clear();
      assert.equal((await visitor.get((await visitor.choose(to, 'olga')).href)).status, 200);
      assert.equal((await visitor.get('/console')).status, 200);
    });
    it('whoever thinks better of it at the provider', async () => {
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
      it(`whoever comes back ${what}`, async () => {
        const page = await visitor.signIn('olga', detour);
        assert.equal(page.status, status);
        assert.match(page.text, /This sign-in does not count.*Try again/s);
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
      it(`whoever has an ID token ${what}`, async () => {
        provider.tamper((answer) => {
          answer.id_token = forge(String(answer.id_token));
        });
        assert.equal((await visitor.signIn('victor')).status, 403);
        await isOut();
      });
    }

    it('whoever comes back a second time', async () => {
      const callback = await visitor.choose(await visitor.leave(), 'olga');
      assert.equal((await visitor.get(callback.href)).status, 200);
      assert.equal((await visitor.get(callback.href)).status, 410);
      const twins = makeOpenIdVisitor(home);
      const again = await twins.choose(await twins.leave(), 'olga');
      const all = await Promise.all(Array.from({ length: 5 }, () => twins.get(again.href)));
      assert.deepEqual(all.map(({ status }) => status).sort(), [200, 410, 410, 410, 410]);
    });
    it('whoever comes back too late', async () => {
      const callback = await visitor.choose(await visitor.leave(), 'olga');
      await time.advance(10 * 60_000, () => service.running.settled());
      assert.equal((await visitor.get(callback.href)).status, 410);
      await isOut();
    });
    it('another browser that is led to somebody’s callback', async () => {
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
    it('whoever tries too often, with a page that says when to come back', async () => {
      let page: Page | undefined;
      for (let attempt = 0; attempt < 61; attempt += 1) page = await visitor.get('/console/sign-in/callback');
      assert.equal(page?.status, 429);
      assert.ok(Number(page?.headers['retry-after']) > 0);
      assert.match(page?.text ?? '', /Too many attempts/);
    });
  });

  describe('ends', () => {
    it('with signing out: here, and on to where the provider signs people out', async () => {
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

  it('stores nothing that would open the console, or tell who somebody is beyond their name', async () => {
    const to = await visitor.leave();
    const under = await everythingIn(service);
    for (const name of ['state', 'nonce']) assert.ok(!under.includes(to.searchParams.get(name) ?? name));
    assert.ok(!under.includes(visitor.cookies(home).get('console-sign-in') ?? 'console-sign-in'));
    await visitor.get((await visitor.choose(to, 'olga')).href);
    const stored = await everythingIn(service);
    for (const secret of [visitor.cookies(home).get('console') ?? 'console', 'eyJ', 'payroll']) assert.ok(!stored.includes(secret), secret);
  });

  it('names whoever acted in the audit trail by their subject alone', async () => {
    const { requestId } = (await service.call('POST', '/payments/send', { body: sendBody('payments') })).json;
    await visitor.signIn('olga');
    await visitor.post(`/console/requests/${requestId}/cancel`);
    const { entries } = (await service.call('GET', `/requests/${requestId}/audit`)).json;
    assert.equal(entries.at(-1).actor, 'operator:olga');
  });

  it('takes only the host itself for the cookie’s, where the connection is secure', async () => {
    const overrides = { publicUrl: 'https://verify.example.com' };
    const away = await startBeside(startTestService, { redirectUris: ['https://verify.example.com/console/sign-in/callback'] }, overrides);
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

/** A part of a JWT changed, its signature left as it was. */
const changed = (token: string, index: 0 | 1, change: (part: Record<string, unknown>) => void) => {
  const parts = token.split('.');
  const part = JSON.parse(Buffer.from(parts[index] ?? '', 'base64url').toString());
  change(part);
  parts[index] = Buffer.from(JSON.stringify(part)).toString('base64url');
  return parts.join('.');
};

describe('a provider that is down', () => {
  it('keeps nobody from the service, is not asked once per visit, and lets people in when it is back', async () => {
    const time = makeTestTime();
    const { provider, service, home } = await startBeside(startTestService, { down: true }, { clock: time.clock, alarm: time.alarm });
    const visitor = makeOpenIdVisitor(home);
    const settle = () => service.running.settled();
    try {
      assert.equal((await service.call('POST', '/payments/send', { body: sendBody('payments') })).status, 200);
      const first = await visitor.post('/console/sign-in');
      assert.equal(first.status, 503);
      assert.match(first.text, /Signing in is not possible right now.*Customers notice nothing/s);
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
  it('let somebody in who left from the one and comes back to the other, once', async () => {
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

describe('what is logged of signing in', () => {
  it('says what went wrong, and nothing of anybody', async () => {
    const lines: string[] = [];
    const log = makeLog('debug', { write: (line: string) => void lines.push(line) });
    const { provider, service, home } = await startBeside(startTestService, {}, { log });
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

  it('tells operators that the provider cannot be used, and that it can again', async () => {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line: string) => void lines.push(line) });
    const time = makeTestTime();
    const { provider, service, home } = await startBeside(startTestService, { down: true }, { log, clock: time.clock, alarm: time.alarm });
    try {
      await until(
        () => lines.some((line) => /"level":"error".*ECONNREFUSED.*nobody can sign in at the console/.test(line)),
        'the word that it is away',
      );
      await provider.start();
      await time.advance(pauseMs, () => service.running.settled());
      await makeOpenIdVisitor(home).signIn('olga');
      assert.ok(lines.some((line) => line.includes('people can sign in at the console')));
    } finally {
      await service.close();
      await provider.stop();
    }
  });
});
