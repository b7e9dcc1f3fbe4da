import assert from 'node:assert/strict';
import { productionLimits } from '../../../../src/service/core/limits/limits.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { openSmsGateway, type SentSms } from '../../../support/sms-gateway.ts';

onEachDatabase('the outbox', (startTestService) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ publicUrl: 'https://verify.example.com/', limits: { resendCooldownsMs: [0] } });
  });
  afterEach(() => service.close());

  const send = async (app: 'e-form' | 'one-time-passcode' | 'passkeys' | 'payments') =>
    (await service.call('POST', `/${app}/send`, { body: sendBody(app) })).json.requestId as string;
  const look = (headers: Record<string, string> = {}) => service.open('GET', '/outbox', { headers });

  it('says so when it is empty', async () => {
    assert.match((await look()).text, /Nothing sent yet/);
  });

  it('shows the newest message first, with its link or its code', async () => {
    await send('payments');
    await service.outbox();
    await send('one-time-passcode');
    const [newest, oldest] = await service.outbox();
    assert.match(newest?.code ?? '', /^\d{6}$/);
    assert.match(oldest?.link ?? '', /^https:\/\/verify\.example\.com\/r\/[A-Za-z0-9_-]{32}$/);
    assert.match(newest?.text ?? '', /@verify\.example\.com #\d{6}$/);
    assert.match(oldest?.text ?? '', /Brightwater Energy: please pay €59\.90 for “Charging pass”, only if your chat shows \d\d:/);
  });

  it('shows a message per recipient', async () => {
    const recipients = [
      { email: 'mei.tanaka@example.com', name: 'Mei Tanaka' },
      { email: 'mei@work.example', name: 'Mei at work' },
    ];
    await service.call('POST', '/passkeys/send', { body: { ...sendBody('passkeys'), recipients } });
    const messages = await service.outbox();
    assert.equal(messages.length, 2);
    assert.equal(new Set(messages.map(({ link }) => link)).size, 1);
  });

  it('shows the state of each', async () => {
    const cancelled = await send('payments');
    const resent = await send('e-form');
    // Both have left: what is withdrawn before that never does.
    assert.equal((await service.outbox()).length, 2);
    await service.call('POST', `/requests/${cancelled}/cancel`);
    await service.call('POST', `/requests/${resent}/resend`);
    const states = (await service.outbox()).map(({ state }) => state);
    assert.deepEqual(states.toSorted(), ['cancelled', 'pending', 'replaced'].toSorted());
  });

  it('answers that nothing is new', async () => {
    await send('payments');
    await service.outbox();
    const { headers } = await service.open('GET', '/outbox/messages');
    const again = await service.open('GET', '/outbox/messages', { headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.status, 304);
  });

  const hosts: [string, number][] = [
    ['localhost:4010', 200],
    ['127.0.0.1:4010', 200],
    ['[::1]:4010', 200],
    ['verify.example.com', 403],
    ['LOCALHOST', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['127.0.0.1.evil.example', 403],
    ['verify.example.com@evil.example', 403],
    ['not a host', 400],
  ];
  for (const [host, expected] of hosts) {
    it(`answers ${expected} to requests for ${host}`, async () => {
      assert.equal((await look({ host })).status, expected);
      assert.equal((await service.open('GET', '/outbox/messages', { headers: { host } })).status, expected);
    });
  }

  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'cf-connecting-ip', 'x-forwarded-proto']) {
    it(`is closed to requests through a proxy (${header})`, async () => {
      assert.equal((await look({ [header]: 'for=127.0.0.1' })).status, 403);
    });
  }

  it('does not exist outside demo mode', async () => {
    const production = await startTestService({ demo: false, delivery: { deliver: async () => ({ accepted: true }) } });
    try {
      assert.equal(production.running.outboxUrl, undefined);
      assert.equal((await production.open('GET', '/outbox')).status, 404);
      assert.equal((await production.open('GET', '/outbox/messages')).status, 404);
    } finally {
      await production.close();
    }
  });

  it('keeps production’s quotas if messages are really sent', async () => {
    await service.close();
    const gateway = await openSmsGateway();
    service = await startTestService({ ways: { sms: gateway.settings } });
    try {
      const { points } = productionLimits.messagesPerDestination;
      for (let count = 0; count < points; count++) await send('payments');
      const over = await service.call('POST', '/payments/send', { body: sendBody('payments') });
      assert.equal(over.status, 429);
    } finally {
      await gateway.close();
    }
  });

  it('also shows the delivery status of a message that a gateway accepted', async () => {
    await service.close();
    const gateway = await openSmsGateway();
    service = await startTestService({ ways: { sms: gateway.settings } });
    try {
      assert.match((await look()).text, /Those that a gateway accepted have left this machine/);
      await send('payments');
      await service.outbox();
      const reached = async () => /data-reached="(\w+)"/.exec((await look()).text)?.[1];
      assert.equal(await reached(), 'queued');
      for (const status of ['sent', 'delivered']) {
        assert.equal(await gateway.tell(gateway.sent[0] as SentSms, status), 204);
        assert.equal(await reached(), status);
      }
    } finally {
      await gateway.close();
    }
  });
});
