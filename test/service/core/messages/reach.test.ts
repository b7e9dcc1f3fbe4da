import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppId } from '../../../../src/contract/index.ts';
import { assertProblem } from '../../../support/assert-problem.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { type MailServer, openMailServer } from '../../../support/mail-server.ts';
import { ownCatalogue } from '../../../support/own-catalogue.ts';
import { openPasskeyPage } from '../../../support/passkey-page.ts';
import type { TestService } from '../../../support/running-service.ts';
import { type Ending, sendBody } from '../../../support/sends.ts';
import { statement } from '../../../support/service-database.ts';
import { openSmsGateway, type SmsGateway } from '../../../support/sms-gateway.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

const from = 'no-reply@brightwater.example';

onEachDatabase('whom messages reach', (startTestService) => {
  let time: TestTime;
  let sms: SmsGateway;
  let mail: MailServer;
  let service: TestService;
  beforeEach(async () => {
    time = makeTestTime();
    sms = await openSmsGateway();
    mail = await openMailServer();
  });
  afterEach(async () => {
    await service.close();
    await sms.close();
    await mail.close();
  });

  const start = async (options: Parameters<typeof startTestService>[0]) => {
    service = await startTestService({ clock: time.clock, alarm: time.alarm, ...options });
  };
  const advance = (milliseconds: number) => time.advance(milliseconds, () => service.running.settled());
  const send = (app: AppId, ending?: Ending, change: object = {}, key?: string) =>
    service.call('POST', `/${app}/send`, {
      body: { ...sendBody(app, ending), ...change },
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
  const stored = async () => {
    // Calls are counted, whatever comes of them.
    const tables = ['requests', 'deliveries', 'idempotency', "quotas where key not like 'calls %'", 'events', 'notes'];
    const counts = await Promise.all(tables.map((table) => statement(service, `select count(*) as n from ${table}`)));
    return counts.map(([row]) => Number(row?.n));
  };

  describe('in production', () => {
    beforeEach(() => start({ demo: false, ways: { sms: sms.settings, mail: { url: mail.url, from } } }));

    it('depends on the app: by SMS or by e-mail', async () => {
      for (const app of ['payments', 'e-form', 'document-signature', 'one-time-passcode', 'passkeys'] as const) await send(app);
      await advance(0);
      assert.deepEqual([sms.sent.length, mail.taken.length], [4, 1]);
      // A passcode never goes by e-mail.
      assert.ok(sms.sent.some(({ body }) => /your code is \d{6}/.test(body)));
    });

    it('excludes a phone after five messages in ten minutes, over all apps', async () => {
      const apps = ['payments', 'e-form', 'one-time-passcode', 'document-signature'] as const;
      const replies = [];
      for (let count = 0; count < 40; count += 1) {
        replies.push(await send(apps[count % 4] ?? 'payments'));
        await advance(1000);
      }
      assert.equal(sms.sent.length, 5);
      assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200, 429]);
      const [refused = assert.fail('none')] = replies.slice(-1);
      assertProblem(refused, 429, 'rate_limited');
      assert.equal(refused.headers['ratelimit-policy'], '"messages";q=5;w=600');
      assert.equal(Number(refused.headers['retry-after']), 600 - 39);
      await advance((600 - 40) * 1000);
      await send('payments');
      await advance(0);
      assert.equal(sms.sent.length, 6);
    });

    it('excludes a mailbox in the same way, however its address is written', async () => {
      const addresses = ['mei.tanaka@example.com', 'Mei.Tanaka@Example.com', 'MEI.TANAKA@EXAMPLE.COM'];
      for (let count = 0; count < 20; count += 1) {
        await send('passkeys', '0102', { recipients: [{ email: addresses[count % 3], name: 'Mei' }] });
        await advance(1000);
      }
      assert.equal(mail.taken.length, 5);
    });
  });

  describe('without SMS or e-mail', () => {
    const cases: [string, 'mail' | 'sms', AppId][] = [
      ['e-mail', 'sms', 'passkeys'],
      ['SMS', 'mail', 'payments'],
      ['SMS', 'mail', 'one-time-passcode'],
    ];
    for (const [what, only, app] of cases) {
      it(`refuses ${app}, which needs ${what}, and stores nothing`, async () => {
        const ways = only === 'sms' ? { sms: sms.settings } : { mail: { url: mail.url, from } };
        await start({ demo: false, ways });
        const before = await stored();
        const reply = await send(app, '0102', {}, 'key-1');
        assertProblem(reply, 503, 'channel_unavailable');
        assert.match(reply.json.detail, new RegExp(`cannot send ${what}`));
        assert.deepEqual(await stored(), before);
      });
    }

    it('says on the page of a passkey that no code can be sent', async () => {
      await start({ demo: false, ways: { mail: { url: mail.url, from } } });
      await send('passkeys');
      await advance(0);
      const link = /http\S+\/r\/\S+/.exec(mail.taken[0]?.mail.text ?? '')?.[0] ?? '';
      const { text } = await openPasskeyPage(service, link).post({ decision: 'code' });
      assert.match(text, /We cannot send a code to this phone/);
    });
  });

  describe('with a list of countries', () => {
    let folder: string;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-reach-'));
      const catalogueFile = ownCatalogue(folder, ({ customers }) => {
        for (const [index, phoneNumber] of ['+34600000000', '+14165550123', '+8812345678'].entries()) {
          customers.push({ ...customers[0], id: `cust-abroad-${index}`, phoneNumber });
        }
      });
      await start({ catalogueFile, ways: { sms: sms.settings }, smsCountries: ['US', 'GB'] });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('includes a number from one of them', async () => {
      const [before, messages] = [await stored(), sms.sent.length];
      assert.equal((await send('payments')).status, 200);
      await advance(0);
      assert.equal(sms.sent.length, messages + 1);
      assert.notDeepEqual(await stored(), before);
    });

    for (const [index, [phoneNumber, country]] of (
      [
        ['+34600000000', 'Spain'],
        ['+14165550123', 'Canada, which shares its code with one that is'],
        ['+8812345678', 'no country'],
      ] as const
    ).entries()) {
      it(`excludes a number from ${country}: nothing is stored or sent`, async () => {
        const before = await stored();
        const change = { phoneNumber, customerRef: `cust-abroad-${index}` };
        assertProblem(await send('payments', '0102', change, 'key-1'), 422, 'country_not_allowed', 'phoneNumber');
        await advance(0);
        assert.deepEqual(await stored(), before);
        assert.equal(sms.calls.sends, 0);
      });
    }
  });
});
