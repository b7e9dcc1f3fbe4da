import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { makeLog } from '../../../src/platform/log.ts';
import { type MailSettings, smtpOptions } from '../../../src/service/delivery/mail.ts';
import type { ServiceOptions } from '../../../src/service/index.ts';
import { makePem } from '../../support/certificates.ts';
import { type MailMishap, type MailServer, openMailServer } from '../../support/mail-server.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';
import { northernKey, twoAccounts } from '../../support/two-accounts.ts';

const from = 'Brightwater Energy <no-reply@brightwater.example>';
const plenty = { points: 1000, seconds: 600 };

describe('e-mail through an SMTP server', () => {
  let time: TestTime;
  let server: MailServer;
  let service: TestService;
  const log: string[] = [];
  const start = async (mail: Partial<MailSettings> = {}, more: Partial<ServiceOptions> = {}) => {
    time = makeTestTime();
    service = await startTestService({
      clock: time.clock,
      alarm: time.alarm,
      demo: false,
      ways: { mail: { url: server.url, from, ...mail } },
      limits: {
        resendCooldownsMs: [0],
        oneActive: false,
        messagesPerDestination: plenty,
        messagesPerCustomer: plenty,
        messagesPerCustomerDaily: plenty,
        messagesInAllDaily: plenty,
        messagesInAll: plenty,
      },
      log: makeLog('debug', { write: (line) => void log.push(line) }),
      ...more,
    });
  };
  afterEach(async () => {
    await service.close();
    await server.close();
  });

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = async (change: object = {}) => {
    const { status, json, text } = await service.call('POST', '/passkeys/send', { body: { ...sendBody('passkeys'), ...change } });
    assert.equal(status, 200, text);
    return json.requestId as string;
  };
  const record = async (id: string) =>
    (await service.call('GET', `/requests/${id}`)).json as { state: string; events: { type: string; channel?: string; code?: string }[] };
  const history = async (id: string) => (await record(id)).events.map(({ type, code }) => (code === undefined ? type : `${type} ${code}`));

  describe('handed over', () => {
    beforeEach(async () => {
      server = await openMailServer();
      await start();
    });

    it('has two forms with the same text, from us to the recipient, in their language', async () => {
      const id = await send();
      await advance(0);
      const [{ to, from: sender, mail } = assert.fail('no mail')] = server.taken;
      assert.deepEqual([to, sender], [['mei.tanaka@example.com'], 'no-reply@brightwater.example']);
      assert.deepEqual(mail.from, { name: 'Brightwater Energy', address: 'no-reply@brightwater.example' });
      assert.deepEqual(mail.to, [{ name: 'Mei Tanaka', address: 'mei.tanaka@example.com' }]);
      assert.equal(mail.subject, 'Sign in');
      const link = /http:\/\/localhost:\d+\/r\/[\w-]{32}/.exec(mail.text ?? '')?.[0] ?? 'none';
      assert.match(
        mail.text ?? '',
        /^You are signing in\. Your number is 47\.\n\nGo on only if your chat shows the number \d\d\.\n\nAnswer here: http/,
      );
      assert.match(mail.html ?? '', /You are signing in\. Your number is 47\./);
      assert.equal((mail.html ?? '').split(`href="${link}"`).length, 3);
      const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
      assert.equal(headers['auto-submitted'], 'auto-generated');
      assert.equal(headers['content-language'], 'en');
      assert.deepEqual(await history(id), ['task.sent', 'delivery.sent']);
      assert.equal((await record(id)).events[1]?.channel, 'email');
    });

    it('is in the name of its account, and in the colours of its theme', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'countersign-mail-'));
      try {
        await service.close();
        const colours = 'colours: { light: { accent: "#6d28d9" }, dark: { accent: "#c4b5fd", text: "#1e1033" } }';
        writeFileSync(join(folder, 'theme.yaml'), `name: Violet Bank\n${colours}\n`);
        const catalogueFile = ownCatalogue(folder, (file) => {
          twoAccounts(file);
          // A form that needs a key of the account's own is not what this is about.
          for (const account of file.accounts) account.forms = [];
          file.accounts[1].theme = 'theme.yaml';
        });
        await start({}, { catalogueFile });
        const northern = { headers: { authorization: `Bearer ${northernKey}` } };
        await send();
        await service.call('POST', '/passkeys/send', { body: sendBody('passkeys'), ...northern });
        await advance(0);
        const bodies = server.taken.map(({ mail }) => mail.html ?? '');
        const [ours, theirs] = ['Brightwater Energy', 'Violet Bank'].map((name) => bodies.filter((body) => body.includes(name)));
        assert.deepEqual([bodies.length, ours?.length, theirs?.length], [2, 1, 1]);
        assert.match(theirs?.[0] ?? '', /background:#6d28d9;color:#ffffff[\s\S]*>Answer now</);
        assert.doesNotMatch(ours?.[0] ?? '', /6d28d9|c4b5fd/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it('loads nothing', async () => {
      await send();
      await advance(0);
      const { html = '' } = server.taken[0]?.mail ?? {};
      assert.doesNotMatch(html, /<(?:img|script|link|iframe|object|svg|form)\b|url\(|@import|\ssrc=|\son\w+=/i);
      assert.deepEqual(
        [...html.matchAll(/href="([^"]+)"/g)].filter(([, address]) => !address?.startsWith('http://localhost:')),
        [],
      );
    });

    it('shows text by others as text, in every part', async () => {
      const hostile = '<img src=x onerror=alert(1)>"\'`&amp; =?utf-8?q?x?=';
      await send({
        subject: `${hostile}\r\nBcc: canary@example.com\r\n\r\nX`,
        message: `${hostile}\r\n.\r\nMAIL FROM:<canary@example.com>`,
        recipients: [{ email: 'mei.tanaka@example.com', name: `Mei\r\nBcc: canary@example.com <${hostile}>, canary@example.com` }],
      });
      await advance(0);
      const [{ to, mail } = assert.fail('no mail')] = server.taken;
      assert.equal(server.taken.length, 1);
      assert.deepEqual(to, ['mei.tanaka@example.com']);
      assert.deepEqual(
        mail.to?.map(({ address }) => address),
        ['mei.tanaka@example.com'],
      );
      assert.equal(mail.bcc, undefined);
      assert.ok(!mail.headers.some(({ key }) => key === 'bcc' || key === 'x'));
      assert.ok(mail.text?.includes(hostile));
      assert.ok(!mail.html?.includes('<img'));
    });

    it('goes to each recipient separately, and fails the request only if it reaches none', async () => {
      const recipients = [
        { email: 'mei.tanaka@example.com', name: 'Mei' },
        { email: 'office@example.com', name: 'Office' },
      ];
      server.mishaps.push({ at: 'recipient', reply: 550 });
      const id = await send({ recipients });
      await advance(0);
      assert.deepEqual(server.taken.flatMap(({ to }) => to).length, 1);
      assert.equal((await record(id)).state, 'pending');
      server.mishaps.push({ at: 'recipient', reply: 550 }, { at: 'recipient', reply: 553 });
      const other = await send({ recipients });
      await advance(0);
      assert.equal((await record(other)).state, 'failure');
    });

    const refusals: [string, MailMishap, string][] = [
      ['an unknown recipient', { at: 'recipient', reply: 550 }, 'smtp_550'],
      ['a text that is not wanted', { at: 'data', reply: 554 }, 'smtp_554'],
    ];
    for (const [what, mishap, code] of refusals) {
      it(`is not tried again after ${what}: the request fails, and its history says why`, async () => {
        server.mishaps.push(mishap);
        const id = await send();
        await advance(5 * 60_000);
        assert.equal(server.calls.recipients, 1);
        assert.deepEqual(await history(id), [`delivery.failed ${code}`, 'task.failed']);
        assert.equal((await record(id)).state, 'failure');
      });
    }

    it('is repeated at a greylisting server after a minute at the earliest', async () => {
      server.mishaps.push({ at: 'recipient', reply: 451 }, { at: 'recipient', reply: 450 });
      const id = await send();
      await advance(59_999);
      assert.equal(server.calls.recipients, 1);
      await advance(90_000);
      assert.equal(server.calls.recipients, 3);
      assert.deepEqual(await history(id), ['task.sent', 'delivery.sent']);
    });

    for (const drop of ['before', 'after'] as const) {
      it(`is sent again under the same Message-ID when the connection drops ${drop} the last dot`, async () => {
        server.mishaps.push({ at: 'data', drop });
        const id = await send();
        await advance(20_000);
        const ids = server.taken.map(({ mail }) => mail.messageId);
        assert.equal(ids.length, drop === 'before' ? 1 : 2);
        assert.equal(new Set(ids).size, 1);
        assert.match(ids[0] ?? '', /^<[0-9A-Z]{26}@localhost>$/);
        assert.deepEqual(await history(id), ['task.sent', 'delivery.sent']);
      });
    }

    it('has a new Message-ID if it is requested again', async () => {
      const id = await send();
      await advance(0);
      await service.call('POST', `/requests/${id}/resend`);
      await advance(0);
      const [first, second] = server.taken.map(({ mail }) => mail.messageId);
      assert.ok(first && second && first !== second);
    });

    it('uses few connections for many messages', async () => {
      for (let count = 0; count < 40; count += 1) await send();
      await advance(0);
      assert.equal(server.taken.length, 40);
      assert.ok(server.calls.connections <= 4, String(server.calls.connections));
    });

    it('leaves no address, name, text or link in the log', async () => {
      server.mishaps.push({ at: 'recipient', reply: 451 });
      await send();
      await advance(61_000);
      const written = log.join('');
      const token = /\/r\/([\w-]{32})/.exec(server.taken[0]?.mail.text ?? '')?.[1] ?? 'none';
      for (const canary of ['mei.tanaka', 'Mei', 'Your number is 47', token, 'canary']) assert.ok(!written.includes(canary), canary);
    });
  });

  describe('and its connection', () => {
    const day = 24 * 60 * 60 * 1000;

    it('is encrypted if the server offers it, and signed in with the configured user and password', async () => {
      const { key, certificate } = await makePem('the curve P-256', { notBefore: Date.now() - day, notAfter: Date.now() + day });
      server = await openMailServer({ key, cert: certificate, disabledCommands: [], authOptional: false });
      await start({ url: server.url.replace('//', '//mailer%40example.com:mail%20password@'), requireTls: true });
      await send();
      await advance(0);
      const [{ secure, user } = assert.fail('no mail')] = server.taken;
      assert.deepEqual([secure, user], [true, 'mailer@example.com']);
    });

    it('is not sent unencrypted if encryption is required, but retried', async () => {
      server = await openMailServer();
      await start({ requireTls: true });
      const id = await send();
      await advance(0);
      assert.deepEqual([server.calls.recipients, server.taken.length], [0, 0]);
      assert.equal((await record(id)).state, 'pending');
      await advance(5 * 60_000);
      assert.equal(server.calls.recipients, 0);
      assert.match((await history(id))[0] ?? '', /^delivery\.failed smtp_etls$/);
    });

    it('with a wrong password does not fail the message: it is sent once the password is right', async () => {
      let right = 'another password';
      server = await openMailServer({
        authOptional: false,
        disabledCommands: ['STARTTLS'],
        onAuth: ({ password }, _session, done) =>
          password === right ? done(null, { user: 'mailer' }) : done(Object.assign(new Error('no'), { responseCode: 535 })),
      });
      await start({ url: server.url.replace('//', '//mailer:secret@') });
      const id = await send();
      await advance(0);
      assert.equal((await record(id)).state, 'pending');
      right = 'secret';
      await advance(5000);
      assert.deepEqual(await history(id), ['task.sent', 'delivery.sent']);
    });
  });
});

describe('the way to an SMTP server', () => {
  const cases: [string, object][] = [
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false, requireTLS: true }],
    ['smtp://mail.example.com:2525', { port: 2525, secure: false, requireTLS: true }],
    ['smtps://mail.example.com', { port: 465, secure: true, requireTLS: true }],
    ['smtps://u%40x:p%3Aw@mail.example.com:466', { port: 466, secure: true, auth: { user: 'u@x', pass: 'p:w' } }],
    ['smtp://127.0.0.1:25', { host: '127.0.0.1', port: 25, requireTLS: false }],
    ['smtp://localhost:25', { requireTLS: false }],
    ['smtp://[::1]:25', { host: '::1', requireTLS: false }],
    ['smtp://localhost.example.com', { requireTLS: true }],
  ];
  for (const [url, expected] of cases) {
    it(`${url.replace(/:\/\/.*@/, '://…@')} is read correctly`, () => {
      const options = smtpOptions({ url, from });
      assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, options[name as keyof typeof options]])), expected);
      assert.equal(options.tls?.rejectUnauthorized, options.requireTLS);
      createTransport(options).close();
    });
  }
});
