import assert from 'node:assert/strict';
import { makeLog } from '../../../src/platform/log.ts';
import { signCallback } from '../../../src/service/delivery/sms-callbacks.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../support/sends.ts';
import { type CallbackChange, type Mishap, openSmsGateway, type SentSms, type SmsGateway } from '../../support/sms-gateway.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';

const plenty = { points: 1000, seconds: 600 };

onEachDatabase('SMS by a gateway', (startTestService) => {
  let time: TestTime;
  let gateway: SmsGateway;
  let service: TestService;
  const log: string[] = [];
  const start = async (from?: string) => {
    time = makeTestTime();
    gateway = await openSmsGateway({ ...(from !== undefined && { from }), now: time.clock.now });
    service = await startTestService({
      clock: time.clock,
      alarm: time.alarm,
      demo: false,
      ways: { sms: gateway.settings },
      limits: {
        resendCooldownsMs: [0],
        messagesPerDestination: plenty,
        messagesPerCustomer: plenty,
        messagesPerCustomerDaily: plenty,
        messagesInAllDaily: plenty,
        messagesInAll: plenty,
      },
      log: makeLog('debug', { write: (line) => void log.push(line) }),
    });
  };
  beforeEach(() => start());
  afterEach(async () => {
    await service.close();
    await gateway.close();
  });

  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = async (app: 'e-form' | 'one-time-passcode' | 'payments' = 'payments') => {
    const body = app === 'e-form' ? shortForm() : sendBody(app);
    const { status, json, text } = await service.call('POST', `/${app}/send`, { body });
    assert.equal(status, 200, text);
    return json.requestId as string;
  };
  const record = async (id: string) =>
    (await service.call('GET', `/requests/${id}`)).json as { state: string; events: { type: string; channel?: string; code?: string }[] };
  const history = async (id: string) => (await record(id)).events.map(({ type, code }) => (code === undefined ? type : `${type} ${code}`));
  const arrived = async (app?: 'e-form' | 'one-time-passcode' | 'payments') => {
    const id = await send(app);
    await advance(0);
    return { id, sms: gateway.sent.at(-1) as SentSms };
  };

  describe('sent', () => {
    it('names its sender, its recipient and the address for status callbacks', async () => {
      const { id, sms } = await arrived();
      assert.deepEqual([sms.to, sms.from], ['+12025550102', '+15005550006']);
      assert.match(sms.body, /^Brightwater Energy: please pay .*, only if your chat shows \d\d: http:\/\/localhost:\d+\/r\/[\w-]{32}$/);
      assert.match(sms.callback ?? '', new RegExp(`^http://localhost:\\d+/callbacks/sms\\?request=${id}&message=[0-9A-Z]{26}&sent=\\d+$`));
      assert.deepEqual(await history(id), ['task.sent', 'delivery.queued']);
    });

    it('happens once per message, without a look-up if the answer was clear', async () => {
      await arrived();
      await service.restart();
      await advance(60_000);
      assert.deepEqual(gateway.calls, { sends: 1, lists: 0 });
    });

    it('goes through a messaging service if one is named', async () => {
      await service.close();
      await gateway.close();
      const from = `MG${'a'.repeat(32)}`;
      await start(from);
      assert.equal((await arrived()).sms.from, from);
    });

    const passing: [string, Mishap, number, number][] = [
      ['too many requests, as long as it says', { status: 429, code: 20429, headers: { 'retry-after': '90' } }, 89_999, 108_000],
      ['a full queue', { status: 400, code: 21611 }, 0, 10_000],
      ['a wrong password, which an operator can mend', { status: 401, code: 20003 }, 0, 10_000],
    ];
    for (const [what, mishap, tooSoon, enough] of passing) {
      it(`waits after ${what}, without a look-up, since nothing was sent`, async () => {
        gateway.mishaps.push(mishap);
        const id = await send();
        await advance(tooSoon);
        assert.equal(gateway.sent.length, 0);
        await advance(enough - tooSoon);
        assert.deepEqual([gateway.sent.length, gateway.calls.lists], [1, 0]);
        assert.equal((await record(id)).state, 'pending');
      });
    }

    for (const code of [21211, 21408, 21610, 21614]) {
      it(`is not tried again after the refusal ${code}: the request fails, and its history says why`, async () => {
        gateway.mishaps.push({ status: 400, code });
        const id = await send();
        await advance(60_000);
        assert.equal(gateway.calls.sends, 1);
        assert.equal((await record(id)).state, 'failure');
        assert.deepEqual(await history(id), [`delivery.failed sms_${code}`, 'task.failed']);
        assert.equal((await service.call('GET', `/results/${id}`)).json.status, 'failure');
      });
    }

    it('is given up eventually if the gateway stays away', async () => {
      gateway.mishaps.push(...Array.from({ length: 10 }, () => ({ status: 503 })));
      const id = await send();
      await advance(10 * 60_000);
      assert.equal(gateway.calls.sends, 6);
      assert.deepEqual(await history(id), ['delivery.failed http_503', 'task.failed']);
    });
  });

  describe('whose fate is unknown', () => {
    it('is found in the gateway’s list, and not sent twice', async () => {
      gateway.mishaps.push('taken but unanswered');
      const id = await send();
      await advance(0);
      assert.deepEqual(await history(id), []);
      await advance(20_000);
      assert.deepEqual([gateway.sent.length, gateway.calls.lists], [1, 1]);
      assert.deepEqual(await history(id), ['task.sent', 'delivery.queued']);
    });

    for (const mishap of ['cut', { status: 500 }, { status: 504, code: 20500 }] as const) {
      it(`is sent again once the list shows that it did not arrive (${JSON.stringify(mishap)})`, async () => {
        gateway.mishaps.push(mishap);
        await send();
        await advance(20_000);
        assert.deepEqual([gateway.sent.length, gateway.calls], [1, { sends: 2, lists: 1 }]);
      });
    }

    it('is not sent again while the list cannot be read', async () => {
      gateway.mishaps.push('taken but unanswered');
      gateway.lists = { status: 500 };
      await send();
      await advance(20_000);
      assert.equal(gateway.calls.sends, 1);
      assert.ok(gateway.calls.lists > 0);
      gateway.lists = undefined;
      await advance(70_000);
      assert.deepEqual([gateway.sent.length, gateway.calls.sends], [1, 1]);
    });

    it('is also looked up after a stop in the middle', async () => {
      // Taken, and the process stops before it hears of it.
      gateway.mishaps.push('taken but unanswered');
      const id = await send();
      await advance(0);
      await service.restart();
      await advance(20_000);
      assert.deepEqual([gateway.sent.length, gateway.calls.sends], [1, 1]);
      assert.deepEqual(await history(id), ['task.sent', 'delivery.queued']);
    });

    it('is not mistaken for another message to the same customer', async () => {
      await arrived();
      gateway.mishaps.push('cut');
      await send('e-form');
      await advance(20_000);
      assert.equal(gateway.sent.length, 2);
      assert.match(gateway.sent[1]?.body ?? '', /please fill in/);
    });
  });

  describe('receipts', () => {
    it('are in the history in order, each once, even if repeated', async () => {
      const { id, sms } = await arrived();
      for (const status of ['queued', 'sending', 'sent', 'sent', 'delivered', 'delivered']) {
        await advance(1000);
        assert.equal(await gateway.tell(sms, status), 204);
      }
      assert.deepEqual(await history(id), ['task.sent', 'delivery.queued', 'delivery.sent', 'delivery.delivered']);
      assert.equal((await record(id)).events.at(-1)?.channel, 'sms');
      assert.equal((await record(id)).state, 'pending');
    });

    it('that arrive late change nothing: the final one stands', async () => {
      const { id, sms } = await arrived();
      await gateway.tell(sms, 'delivered');
      for (const status of ['sent', 'queued', 'undelivered', 'failed'])
        assert.equal(await gateway.tell(sms, status, { error: '30003' }), 204);
      assert.deepEqual(await history(id), ['task.sent', 'delivery.queued', 'delivery.delivered']);
      assert.equal((await record(id)).state, 'pending');
    });

    for (const status of ['undelivered', 'failed']) {
      it(`of a message that is ${status} fail its request at once, with the reason`, async () => {
        const { id, sms } = await arrived('one-time-passcode');
        await advance(1000);
        assert.equal(await gateway.tell(sms, status, { error: '30003' }), 204);
        assert.deepEqual(await history(id), ['task.sent', 'delivery.queued', `delivery.${status} sms_30003`, 'task.failed']);
        assert.equal((await service.call('GET', `/results/${id}`)).json.status, 'failure');
      });
    }

    it('do not fail a request whose link was opened anyway', async () => {
      const { id, sms } = await arrived('e-form');
      const link = /http\S+/.exec(sms.body)?.[0] ?? '';
      await service.open('POST', `${new URL(link).pathname}/opened`);
      await gateway.tell(sms, 'undelivered', { error: '30006' });
      assert.deepEqual([(await record(id)).state, (await history(id)).at(-1)], ['pending', 'delivery.undelivered sms_30006']);
      await service.open('POST', new URL(link).pathname, { body: new URLSearchParams(shortAnswer) });
      assert.equal((await record(id)).state, 'success');
    });

    it('do not fail a request whose message was sent again meanwhile', async () => {
      const { id, sms } = await arrived();
      await service.call('POST', `/requests/${id}/resend`);
      await gateway.tell(sms, 'failed', { error: '30008' });
      assert.equal((await record(id)).state, 'pending');
      await advance(0);
      await gateway.tell(sms, 'failed', { error: '30008' });
      assert.equal((await record(id)).state, 'pending');
      await gateway.tell(gateway.sent.at(-1) as SentSms, 'failed', { error: '30008' });
      assert.equal((await record(id)).state, 'failure');
    });

    it('for an ended or unknown request are accepted and change nothing', async () => {
      const { id, sms } = await arrived();
      await service.call('POST', `/requests/${id}/cancel`);
      assert.equal(await gateway.tell(sms, 'failed', { error: '30003' }), 204);
      assert.equal((await record(id)).state, 'cancelled');
      const callback = (sms.callback ?? '').replace(id, '01KAH5Z0V8Q2J9XW3N4M5P6R7S');
      assert.equal(await gateway.tell({ ...sms, callback }, 'failed'), 204);
    });

    const forged: [string, CallbackChange][] = [
      ['no signature', { signature: undefined }],
      ['an empty signature', { signature: '' }],
      ['a signature that is none', { signature: 'x'.repeat(5000) }],
      ['a signature by another token', { token: 'another-token' }],
      ['another status than was signed', { form: (form) => form.set('MessageStatus', 'failed') }],
      ['a field added', { form: (form) => form.append('ErrorCode', '30003') }],
      ['another message in its address', { address: (address) => address.searchParams.set('message', '01KAH5Z0V8Q2J9XW3N4M5P6R7S') }],
      ['another request in its address', { address: (address) => address.searchParams.set('request', '01KAH5Z0V8Q2J9XW3N4M5P6R7S') }],
      ['no address to speak of', { address: (address) => (address.search = '') }],
    ];
    for (const [what, change] of forged) {
      it(`with ${what} are refused`, async () => {
        const { id, sms } = await arrived();
        assert.equal(await gateway.tell(sms, 'delivered', change), 400);
        assert.deepEqual(await history(id), ['task.sent', 'delivery.queued']);
      });
    }

    it('are signed as the gateway documents it', () => {
      // The example of twilio.com/docs/usage/security.
      const parameters = new URLSearchParams({
        CallSid: 'CA1234567890ABCDE',
        Caller: '+12349013030',
        Digits: '1234',
        From: '+12349013030',
        To: '+18005551212',
      });
      const signature = signCallback('12345', 'https://mycompany.com/myapp.php?foo=1&bar=2', parameters).toString('base64');
      assert.equal(signature, '0/KCTR6DLpKmkAf8muzZqo1nDgQ=');
    });
  });

  it('leaves no number, link, code or token in the log', async () => {
    const { sms } = await arrived('one-time-passcode');
    await gateway.tell(sms, 'undelivered', { error: '30003' });
    await gateway.tell(sms, 'delivered', { token: 'canary-token' });
    const written = log.join('');
    const code = /code is (\d{6})/.exec(sms.body)?.[1] ?? 'none';
    for (const canary of ['2025550102', `"${code}"`, ` ${code}`, gateway.settings.authToken, 'canary'])
      assert.ok(!written.includes(canary), canary);
  });
});
