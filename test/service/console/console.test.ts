import assert from 'node:assert/strict';
import { eventTypes } from '../../../src/contract/index.ts';
import { makeServiceTexts } from '../../../src/service/core/texts.ts';
import { signInAt } from '../../support/console-visitor.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../support/sends.ts';
import { everythingIn, statement } from '../../support/service-database.ts';
import { makeTestTime } from '../../support/test-time.ts';
import { startTwoAccounts } from '../../support/two-accounts.ts';

const linkOf = ({ running }: TestService) => new URL(running.consoleUrl ?? '').pathname;

onEachDatabase('the console', (start) => {
  let service: TestService;
  beforeEach(async () => {
    service = await start();
  });
  afterEach(() => service.close());

  const send = async (app: 'document-signature' | 'e-form' | 'passkeys' | 'payments' = 'payments') =>
    (await service.call('POST', `/${app}/send`, { body: app === 'e-form' ? shortForm() : sendBody(app) })).json.requestId as string;
  const stateOf = async (id: string) => (await service.call('GET', `/requests/${id}`)).json.state;

  describe('signing in', () => {
    it('needs a post: opening the link does not use it up', async () => {
      for (let look = 0; look < 5; look += 1) assert.equal((await service.open('GET', linkOf(service))).status, 200);
      const visitor = await signInAt(service);
      assert.equal((await visitor.get('/console')).status, 200);
    });
    it('works once, also for many who come at the same time', async () => {
      const body = () => new URLSearchParams({ role: 'operator' });
      const all = await Promise.all(Array.from({ length: 20 }, () => service.open('POST', linkOf(service), { body: body() })));
      assert.deepEqual(all.map(({ status }) => status).toSorted(), [303, ...Array(19).fill(410)]);
      assert.equal((await service.open('GET', linkOf(service))).status, 410);
    });
    it('is refused with another token, and the link still works afterwards', async () => {
      const other = linkOf(service).replace(/.$/, (last) => (last === '_' ? '-' : '_'));
      assert.equal((await service.open('POST', other, { body: new URLSearchParams() })).status, 410);
      await signInAt(service);
    });
    it('gives a cookie that no script, no other site and no other path gets', async () => {
      const { headers } = await service.open('POST', linkOf(service), { body: new URLSearchParams({ role: 'viewer' }) });
      assert.match(String(headers['set-cookie']), /^console=[\w-]{32}; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=28800$/);
    });
    it('ends with signing out, on the server as well', async () => {
      const visitor = await signInAt(service);
      const out = await visitor.post('/console/sign-out');
      assert.match(String(out.headers['set-cookie']), /^console=; .*Max-Age=0$/);
      assert.equal((await visitor.get('/console')).status, 401);
    });
    it('survives a restart, which prints a new link', async () => {
      const visitor = await signInAt(service);
      const before = linkOf(service);
      await service.restart();
      assert.equal((await visitor.get('/console')).status, 200);
      assert.notEqual(linkOf(service), before);
      assert.equal((await service.open('GET', before)).status, 410);
    });
    it('stores nothing that gives access to the console', async () => {
      const token = linkOf(service).split('/').at(-1) ?? '';
      const { cookie } = await signInAt(service);
      const stored = await everythingIn(service);
      for (const secret of [token, cookie.split('=')[1] ?? '']) assert.ok(!stored.includes(secret));
    });
  });

  describe('a phone that wrong codes have locked', () => {
    it('is shown with its customer, and unlocked by an operator, which is logged', async () => {
      await service.close();
      service = await start({ limits: { passcodeFailures: { anHour: 1000, untilLocked: 5 } } });
      const locking = () => service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') });
      const { requestId } = (await locking()).json;
      const visitor = await signInAt(service);
      assert.doesNotMatch((await visitor.get('/console/customers')).text, /Locked by wrong codes/);
      for (let tries = 0; tries < 5; tries += 1)
        await service.call('POST', '/one-time-passcode/check', { body: { requestId, code: 'wrong0' } });
      assert.equal((await locking()).status, 409);
      assert.equal((await visitor.get('/console/customers')).text.match(/Locked by wrong codes/g)?.length, 1);
      const done = await visitor.post('/console/customers/unlock', {
        body: new URLSearchParams({ customer: 'cust-0102-mei brightwater' }),
      });
      assert.equal(done.headers.location, '/console/customers?done=unlock');
      assert.doesNotMatch((await visitor.get('/console/customers?done=unlock')).text, /Locked by wrong codes/);
      assert.match((await visitor.get('/console/accesses')).text, /Unlocked a phone/);
      assert.equal((await locking()).status, 200);
      const nobody = await visitor.post('/console/customers/unlock', { body: new URLSearchParams({ customer: 'nobody brightwater' }) });
      assert.equal(nobody.status, 404);
    });
  });

  describe('who is signed in', () => {
    it('is listed with time and address, and one session can be ended, which is logged', async () => {
      const visitor = await signInAt(service);
      const page = await visitor.get('/console/sessions');
      assert.match(page.text, /sign-in link[\s\S]*127\.0\.0\.1/);
      const [, session = ''] = /name="session" value="([^"]+)"/.exec(page.text) ?? [];
      assert.ok(!visitor.cookie.includes(session), 'nobody is signed in by what the page tells');
      await visitor.post('/console/sessions/end', { body: new URLSearchParams({ session: 'another' }) });
      assert.equal((await visitor.get('/console')).status, 200);
      assert.equal((await visitor.post('/console/sessions/end', { body: new URLSearchParams({ session }) })).status, 303);
      assert.equal((await visitor.get('/console')).status, 401);
      const rows = await statement(service, "select subject from console_accesses where action = 'end-session' order by id desc");
      assert.equal(rows[0]?.subject, session.slice(0, 8));
    });

    it('can be signed out of all sessions, without affecting anybody else', async () => {
      const visitor = await signInAt(service);
      const row =
        "(token_hash, person, role, time_zone, created_at, expires_at, subject) values (?, ?, 'viewer', 'UTC', 0, 9999999999999, ?)";
      for (const [hash, subject] of [
        ['a', 'ada'],
        ['b', 'ada'],
        ['c', 'bob'],
      ] as const)
        await statement(service, `insert into console_sessions ${row}`, hash, subject, subject);
      await visitor.post('/console/sessions/end-all', { body: new URLSearchParams({ person: 'ada' }) });
      const left = await statement(service, 'select subject from console_sessions order by subject');
      assert.deepEqual(
        left.map(({ subject }) => subject),
        ['bob', 'sign-in link'],
      );
    });
  });

  describe('is closed', () => {
    const foreign: [string, Record<string, string>][] = [
      ['from another site', { 'sec-fetch-site': 'cross-site' }],
      ['from another service of this machine', { 'sec-fetch-site': 'same-site' }],
      ['with another origin', { origin: 'https://evil.example' }],
      ['without an origin of its own', { origin: 'null' }],
    ];
    for (const [what, headers] of foreign) {
      it(`to a post ${what}`, async () => {
        const id = await send();
        const visitor = await signInAt(service);
        assert.equal((await visitor.post(`/console/requests/${id}/cancel`, { headers })).status, 403);
        assert.equal(await stateOf(id), 'pending');
      });
    }
    it('not to a post of its own page in an older browser, which is asked to say so', async () => {
      const id = await send();
      const visitor = await signInAt(service);
      const page = await service.open('GET', '/console', { headers: { cookie: visitor.cookie } });
      assert.equal(page.headers['referrer-policy'], 'same-origin');
      const headers = { origin: `http://127.0.0.1:${service.running.port}` };
      assert.equal((await visitor.post(`/console/requests/${id}/cancel`, { headers })).status, 303);
    });
    for (const headers of [
      { host: 'evil.example' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
    ]) {
      it(`to requests with ${JSON.stringify(headers)}`, async () => {
        const { cookie } = await signInAt(service);
        assert.equal((await service.open('GET', '/console', { headers: { cookie, ...headers } as Record<string, string> })).status, 403);
      });
    }
  });

  describe('the access log', () => {
    const rowsOf = (text: string) =>
      [...text.matchAll(/<tr>(<td.*?)<\/tr>/gs)].map(([, row = '']) =>
        [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '')),
      );
    it('lists every access to a customer’s data and every action, newest first', async () => {
      const id = await send();
      const visitor = await signInAt(service, 'operator');
      await visitor.get('/console');
      await visitor.get('/console/products');
      await visitor.get('/console/requests?app=payments');
      await visitor.get(`/console/requests/${id}`);
      await visitor.get('/console/customers');
      await visitor.post(`/console/requests/${id}/cancel`);
      const rows = rowsOf((await visitor.get('/console/accesses')).text);
      assert.deepEqual(
        rows.map(([, what, about]) => [what, about]),
        [
          ['Withdrew a request', id],
          ['Looked at customers', '–'],
          ['Looked at a request', id],
          ['Looked at requests', 'app=payments'],
          ['Signed in', '–'],
        ],
      );
      for (const [, , , who, from] of rows) assert.deepEqual([who, from], ['sign-in link Operator', '127.0.0.1']);
    });
  });

  describe('a request', () => {
    it('is shown with what happened to it and what the customer answered', async () => {
      const id = await send('e-form');
      const link = (await service.outbox())[0]?.link ?? '';
      await service.open('POST', link, { body: new URLSearchParams(shortAnswer) });
      const { text } = await (await signInAt(service)).get(`/console/requests/${id}`);
      for (const part of [
        'Mei Tanaka',
        '+12025550102',
        'Message sent',
        'Link opened',
        'Begun by the customer',
        'Completed',
        'rating',
        'good',
      ])
        assert.ok(text.includes(part), part);
      assert.doesNotMatch(text, /Withdraw</);
    });
    for (const [app, language, parts] of [
      ['payments', 'en', ['<dt>Product</dt>', 'Charging pass', '<dt>Amount</dt>', '€59.90']],
      ['document-signature', 'en', ['<dt>Document</dt>', 'Direct debit mandate']],
      ['e-form', 'en', ['<dt>Form</dt>', 'Feedback']],
      ['payments', 'es', ['<dt>Producto</dt>', 'Charging pass', '<dt>Importe</dt>', '59,90']],
    ] as const) {
      it(`of ${app} says in ${language} what it is about, while it waits and once it is withdrawn`, async () => {
        const id = await send(app);
        const visitor = await signInAt(service);
        const headers = { cookie: visitor.cookie, 'accept-language': language };
        const read = async () => (await service.open('GET', `/console/requests/${id}`, { headers })).text;
        const waiting = await read();
        await visitor.post(`/console/requests/${id}/cancel`);
        const withdrawn = await read();
        for (const part of parts) for (const text of [waiting, withdrawn]) assert.ok(text.includes(part), part);
        // What was filled in for the customer is theirs.
        for (const text of [waiting, withdrawn]) assert.ok(!text.includes('150.50') && !text.includes('150.5'), 'a variable');
      });
    }
    it('that is withdrawn says when and by whom, and no longer until when it was open', async () => {
      const [own, other] = [await send('payments'), await send('e-form')];
      const visitor = await signInAt(service);
      const read = async (id: string) => (await visitor.get(`/console/requests/${id}`)).text;
      assert.match(await read(own), /Open until/);
      await visitor.post(`/console/requests/${own}/cancel`);
      await service.call('POST', `/requests/${other}/cancel`);
      for (const [id, who] of [
        [own, 'Operator sign-in link'],
        [other, 'The account, key [0-9a-f]{8}'],
      ] as const) {
        const text = await read(id);
        assert.doesNotMatch(text, /Open until/);
        assert.match(text, /<dt>Ended<\/dt><dd><time datetime="[^"]+">/);
        assert.match(text, new RegExp(`<strong>Withdrawn</strong><time datetime="[^"]+">[^<]+</time><span class="quiet">${who}</span>`));
      }
    });
    it('of somebody erased reveals nothing about its subject', async () => {
      const id = await send();
      await service.call('POST', `/requests/${id}/cancel`);
      await statement(service, "update requests set customer_ref = '', details = null where id = ?", id);
      const { status, text } = await (await signInAt(service)).get(`/console/requests/${id}`);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /<dt>Product<|Charging pass/);
    });
    it('that was superseded says so, then that it was withdrawn', async () => {
      await service.close();
      service = await start({ limits: { oneActive: true } });
      const older = await send();
      await send();
      const { text } = await (await signInAt(service)).get(`/console/requests/${older}`);
      assert.match(text, /A newer request took its place.*<strong>Withdrawn<\/strong><time/s);
    });
    it('is withdrawn after a confirmation, which is shown; the address alone shows nothing', async () => {
      const id = await send();
      const visitor = await signInAt(service);
      const told = /<p class="done" role="status">The request is withdrawn\.<\/p>/;
      const page = await visitor.get(`/console/requests/${id}?done=cancel`);
      assert.match(
        page.text,
        /<details class="ask"><summary class="danger">Withdraw<\/summary>.*<form method="post" action="[^"]+\/cancel">/s,
      );
      assert.doesNotMatch(page.text, told);
      const { headers } = await visitor.post(`/console/requests/${id}/cancel`);
      assert.equal(headers.location, `/console/requests/${id}?done=cancel`);
      assert.match((await visitor.get(String(headers.location))).text, told);
      assert.doesNotMatch((await visitor.get(`/console/requests/${id}`)).text, told);
      assert.equal((await visitor.get(`/console/requests/${id}?done=constructor`)).status, 200);
    });
    it('can be sent again after the pause, and not before', async () => {
      const id = await send();
      await service.outbox();
      const visitor = await signInAt(service);
      const early = await visitor.post(`/console/requests/${id}/resend`);
      assert.equal(early.status, 429);
      assert.match(early.text, /The message was sent a moment ago/);
    });
    it('that has ended says so, and stays as it is', async () => {
      const id = await send();
      await service.call('POST', `/requests/${id}/cancel`);
      const visitor = await signInAt(service);
      for (const what of ['cancel', 'resend']) {
        const reply = await visitor.post(`/console/requests/${id}/${what}`);
        assert.equal(reply.status, 409, what);
        assert.match(reply.text, /This request is over: nothing was changed/);
      }
    });
    it('offers its audit trail and its certificate, and logs who downloaded them', async () => {
      const id = await send();
      const visitor = await signInAt(service, 'viewer');
      const { text } = await visitor.get(`/console/requests/${id}`);
      for (const ending of ['audit', 'audit.pdf']) assert.ok(text.includes(`href="/console/requests/${id}/${ending}"`), ending);
      const trail = await visitor.get(`/console/requests/${id}/audit`);
      assert.deepEqual(trail.json, (await service.call('GET', `/requests/${id}/audit`)).json);
      assert.equal(trail.headers['content-disposition'], `attachment; filename="${id}-audit.json"`);
      const certificate = await visitor.get(`/console/requests/${id}/audit.pdf`);
      assert.deepEqual([certificate.status, certificate.headers['content-type']], [200, 'application/pdf']);
      assert.match(certificate.text, /^%PDF-/);
      const log = (await visitor.get('/console/accesses')).text;
      assert.match(log, new RegExp(`Downloaded a certificate.*${id}.*Downloaded an audit trail.*${id}.*Looked at a request`, 's'));
    });
    it('whose trail was tampered with cannot be certified, and says so', async () => {
      const id = await send();
      await service.running.settled();
      await statement(service, "update audit set actor = 'system' where request_id = ? and seq = 1", id);
      const visitor = await signInAt(service, 'viewer');
      assert.equal((await visitor.post(`/console/requests/${id}/cancel`)).status, 403);
      const { status, text } = await visitor.get(`/console/requests/${id}/audit.pdf`);
      assert.equal(status, 500);
      assert.match(text, /was tampered with, so it cannot be certified/);
      assert.deepEqual((await visitor.get(`/console/requests/${id}/audit`)).json.fault, { seq: 1, reason: 'changed' });
    });
    for (const id of ['01KAH5Z0V8Q2J9XW3N4M5P6R7S', 'nonsense', '%3Cscript%3E']) {
      it(`that does not exist (${id}) gets a page that says so`, async () => {
        const { status, text } = await (await signInAt(service)).get(`/console/requests/${id}`);
        assert.equal(status, 404);
        assert.match(text, /There is nothing here/);
      });
    }
  });

  describe('the list of requests', () => {
    it('filters them', async () => {
      const [paid, filled] = [await send('payments'), await send('e-form')];
      await service.call('POST', `/requests/${filled}/cancel`);
      const visitor = await signInAt(service);
      const listed = async (query: string) => {
        const { status, text } = await visitor.get(`/console/requests?${query}`);
        assert.equal(status, 200, query);
        return [...text.matchAll(/\/console\/requests\/([0-9A-Z]{26})"/g)].map(([, id]) => id);
      };
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(Date.now());
      const cases: [string, string[]][] = [
        ['', [filled, paid]],
        ['app=payments', [paid]],
        ['state=cancelled', [filled]],
        ['app=payments&state=cancelled', []],
        ['customer=cust-0102-mei+brightwater', [filled, paid]],
        ['customer=cust-0101-avery+brightwater', []],
        ['customer=cust-0102-mei+elsewhere', []],
        [`from=${today}&to=${today}`, [filled, paid]],
        ['to=2020-01-01', []],
        ['from=2099-01-01', []],
        ['to=0001-01-01', []],
        ['from=9999-12-31&to=9999-12-31', []],
        [`before=${filled}`, [paid]],
        ['app=%27&state=%00&customer=%20&from=2026-99-99&before=zzz', [filled, paid]],
      ];
      for (const [query, expected] of cases) assert.deepEqual(await listed(query), expected, query);
    });
  });

  it('shows what identifies a key, and never the key', async () => {
    const { text } = await (await signInAt(service)).get('/console/keys');
    assert.match(text, /<code>[0-9a-f]{8}<\/code>.*<code>…[0-9a-f]{4}<\/code>/s);
    assert.ok(!text.includes(service.running.secretKey));
  });

  it('speaks the browser’s language, in its time zone', async () => {
    await send();
    const { cookie } = await signInAt(service, 'viewer', 'Asia/Kathmandu');
    const reply = await service.open('GET', '/console/requests', { headers: { cookie, 'accept-language': 'es-MX' } });
    assert.match(reply.text, /<html lang="es" dir="ltr">/);
    assert.match(reply.text, /Solicitudes/);
    const [, at = '', shown] = /<time datetime="([^"]+)">([^<]+)<\/time>/.exec(reply.text) ?? [];
    const format = new Intl.DateTimeFormat('es', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Kathmandu' });
    assert.equal(shown, format.format(new Date(at)));
  });
});

describe('a session of the console', () => {
  it('ends after eight hours', async () => {
    const time = makeTestTime();
    const service = await startTestService({ clock: time.clock, alarm: time.alarm });
    try {
      const visitor = await signInAt(service);
      const hour = 60 * 60_000;
      await time.advance(8 * hour - 1000, () => service.running.settled());
      assert.equal((await visitor.get('/console')).status, 200);
      await time.advance(1000, () => service.running.settled());
      assert.equal((await visitor.get('/console')).status, 401);
    } finally {
      await service.close();
    }
  });
  it('is bound to its host if the connection is secure', async () => {
    const service = await startTestService({ publicUrl: 'https://verify.example.com' });
    try {
      const { headers } = await service.open('POST', linkOf(service), { body: new URLSearchParams() });
      assert.match(String(headers['set-cookie']), /^__Host-console=[\w-]{32}; Path=\/; Secure; HttpOnly; SameSite=Strict;/);
    } finally {
      await service.close();
    }
  });
});

describe('a console of several accounts', () => {
  it('names the account of everything, and can be filtered by account', async () => {
    const service = await startTwoAccounts();
    try {
      await service.call('POST', '/payments/send', { body: sendBody('payments') });
      const { json } = await service.northern('POST', '/e-form/send', {
        body: { ...sendBody('e-form'), formId: '6f1c0000-0000-4000-8000-0000000000b1' },
      });
      const visitor = await signInAt(service);
      const listed = (await visitor.get('/console/requests?account=northern')).text;
      assert.match(listed, /Northern Mei Tanaka/);
      assert.equal(listed.split('class="row-link"').length - 1, 1);
      assert.match((await visitor.get(`/console/requests/${json.requestId}`)).text, /Northern Telecom/);
      for (const page of ['', '/customers', '/products', '/documents', '/forms', '/keys'])
        assert.match((await visitor.get(`/console${page}`)).text, /Northern Telecom/, page);
    } finally {
      await service.close();
    }
  });
});

describe('outside demo mode, without an OpenID provider', () => {
  it('has no console, and a page says so', async () => {
    const service = await startTestService({ demo: false, delivery: { deliver: async () => ({ accepted: true }) } });
    try {
      assert.equal(service.running.consoleUrl, undefined);
      const { status, text } = await service.open('GET', '/console');
      assert.equal(status, 403);
      assert.match(text, /people sign in here through an OpenID provider, and none is configured/);
      for (const path of ['/console/requests', '/console/sign-in/abcdefghijklmnopqrstuvwxyz012345'])
        assert.equal((await service.open('GET', path)).status, 404);
    } finally {
      await service.close();
    }
  });
});

describe('the texts of the console', () => {
  for (const language of ['en', 'es'] as const) {
    it(`name every event and every state (${language})`, () => {
      const { t } = makeServiceTexts()(language);
      for (const type of eventTypes) assert.ok(t(`console.event.${type}`));
      for (const state of ['pending', 'success', 'failure', 'timeout', 'cancelled'] as const) assert.ok(t(`outbox.${state}`));
    });
  }
});
