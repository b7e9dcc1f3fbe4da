import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ulid } from 'ulid';
import { appIds } from '../../../src/contract/index.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { system } from '../../../src/service/core/audit/origin.ts';
import { productionLimits } from '../../../src/service/core/limits/limits.ts';
import { makeSeal } from '../../../src/service/core/secrets/seal.ts';
import { openStorage } from '../../../src/service/core/store/index.ts';
import { makePasskeys } from '../../../src/service/passkeys/store.ts';
import { assertProblem } from '../../support/assert-problem.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import { type Reply, startTestService } from '../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../support/sends.ts';
import { connectTo } from '../../support/service-socket.ts';
import { acceptance } from '../../support/stored-request.ts';
import { makeTestTime } from '../../support/test-time.ts';
import { northernKey, startTwoAccounts, type TwoAccounts, twoAccounts } from '../../support/two-accounts.ts';
import { until } from '../../support/until.ts';
import { openWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

describe('two accounts of one service', () => {
  let service: TwoAccounts;
  before(async () => {
    service = await startTwoAccounts();
  });
  after(() => service.close());

  const good = (reply: Reply) => {
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  };
  const linkOf = async (at = service) => (await at.outbox())[0]?.link ?? '';
  const northernSend = { ...sendBody('payments'), productId: 'northern-bill' };

  describe('the key of one account, used on the data of the other', () => {
    let finished: string;
    let pending: string;
    let passcode: { requestId: string; code: string };
    before(async () => {
      finished = good(await service.call('POST', '/e-form/send', { body: shortForm() })).requestId;
      await service.open('POST', await linkOf(), { body: new URLSearchParams(shortAnswer) });
      pending = good(await service.call('POST', '/payments/send', { body: sendBody('payments') })).requestId;
      const { requestId } = good(await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') }));
      passcode = { requestId, code: (await service.outbox())[0]?.code ?? '' };
    });

    const hidden: [string, string, () => string][] = [
      ['GET', 'a result', () => `/results/${finished}`],
      ['GET', 'a finished request', () => `/requests/${finished}`],
      ['GET', 'a pending request', () => `/requests/${pending}`],
      ['POST', 'a request to withdraw', () => `/requests/${pending}/cancel`],
      ['POST', 'a request to send again', () => `/requests/${pending}/resend`],
      ['POST', 'a finished request to withdraw', () => `/requests/${finished}/cancel`],
    ];
    for (const [method, what, path] of hidden) {
      it(`finds nothing: ${what} gets the same answer as one that never existed`, async () => {
        const reply = await service.northern(method, path());
        assertProblem(reply, 404, 'not_found');
        const never = await service.northern(method, path().replace(/[0-9A-Z]{26}/, ulid()));
        assert.equal(reply.text, never.text);
      });
    }
    it('cannot check its passcode, nor use up its checks', async () => {
      for (let tries = 0; tries < productionLimits.passcodeChecks; tries += 1) {
        const { json } = await service.northern('POST', '/one-time-passcode/check', { body: passcode });
        assert.deepEqual(json, { codeMatch: false });
      }
      assert.deepEqual(good(await service.call('POST', '/one-time-passcode/check', { body: passcode })), { codeMatch: true });
    });
    it('changes nothing', async () => {
      assert.equal(good(await service.call('GET', `/requests/${pending}`)).state, 'pending');
      assert.equal(good(await service.call('GET', `/results/${finished}`)).accountId, 'brightwater');
    });

    for (const id of appIds) {
      it(`lists in the ${id} bootstrap only its own data, whoever shares the number`, async () => {
        const caller = { phoneNumber: '+12025550102', sessionRef: 'session-0001' };
        const [ours, theirs] = [
          good(await service.call('POST', `/${id}/bootstrap`, { body: caller })),
          good(await service.northern('POST', `/${id}/bootstrap`, { body: caller })),
        ];
        const names = ({ customers }: { customers: { name: string }[] }) => customers.map(({ name }) => name);
        assert.deepEqual([names(ours), names(theirs)], [['Mei Tanaka'], ['Northern Mei Tanaka']]);
        if (id === 'payments') {
          assert.equal(ours.products[0].id, 'energy-bill-november');
          assert.equal(theirs.products[0].id, 'northern-bill');
        }
        const stranger = { ...caller, phoneNumber: '+12025550150' };
        assert.deepEqual(good(await service.call('POST', `/${id}/bootstrap`, { body: stranger })).customers, []);
      });
    }

    const foreign: [string, string, object, string][] = [
      ['customer', '/payments/send', { ...sendBody('payments'), customerRef: 'northern-only' }, 'customerRef'],
      ['phone number', '/payments/send', { ...sendBody('payments'), customerRef: undefined, phoneNumber: '+12025550150' }, 'phoneNumber'],
      ['product', '/payments/send', northernSend, 'productId'],
      [
        'document',
        '/document-signature/send',
        { ...sendBody('document-signature'), documentId: '5d0c0000-0000-4000-8000-0000000000b1' },
        'documentId',
      ],
      ['form', '/e-form/send', { ...sendBody('e-form'), formId: '6f1c0000-0000-4000-8000-0000000000b1' }, 'formId'],
    ];
    for (const [what, path, body, field] of foreign) {
      it(`cannot send a ${what} of the other`, async () => {
        assertProblem(await service.call('POST', path, { body }), 422, 'invalid_request', field);
      });
    }

    it('may use the same idempotency key and body, for a request of its own', async () => {
      const headers = { 'idempotency-key': 'the-same-key' };
      const body = shortForm();
      const first = good(await service.call('POST', '/e-form/send', { body, headers }));
      const second = good(await service.northern('POST', '/e-form/send', { body, headers }));
      assert.notEqual(first.requestId, second.requestId);
      assert.deepEqual(good(await service.call('POST', '/e-form/send', { body, headers })), first);
      assert.deepEqual(good(await service.northern('POST', '/e-form/send', { body, headers })), second);
      assertProblem(await service.call('GET', `/requests/${second.requestId}`), 404, 'not_found');
    });
  });

  describe('a socket', () => {
    it('reports the request of its token, and nothing of the other account', async () => {
      const body = sendBody('payments', '0102');
      await service.call('POST', '/payments/send', { body });
      const { requestId, wsToken } = good(await service.northern('POST', '/payments/send', { body: northernSend }));
      const socket = await connectTo(service.running.wsUrl, wsToken);
      await until(() => socket.frames.length > 0);
      await service.northern('POST', `/requests/${requestId}/cancel`);
      assert.equal(await socket.closed(), 1000);
      assert.deepEqual(new Set(socket.frames.map(({ payload }) => payload?.request?.id)), new Set([requestId]));
    });
  });

  describe('what customers see', () => {
    const ways = [
      [
        'brightwater',
        'Brightwater Energy',
        'Northern Telecom',
        () => service.call('POST', '/payments/send', { body: sendBody('payments') }),
      ],
      ['northern', 'Northern Telecom', 'Brightwater Energy', () => service.northern('POST', '/payments/send', { body: northernSend })],
    ] as const;
    for (const [id, own, other, send] of ways) {
      it(`names ${own} in the message, on the page, at the sandbox and at the end`, async () => {
        const { requestId } = good(await send());
        const [message] = await service.outbox();
        assert.ok(message?.text.startsWith(own), message?.text);
        const link = message?.link ?? '';
        const pages = [(await service.open('GET', link)).text];
        const onward = await service.open('POST', link, { body: new URLSearchParams({ decision: 'accept' }) });
        const sandbox = /href="([^"]*\/sandbox\/[^"]+)"/.exec(onward.text)?.[1] ?? '';
        pages.push(onward.text, (await service.open('GET', sandbox)).text);
        const paid = await service.open('POST', sandbox, { body: new URLSearchParams({ card: 'approved' }) });
        pages.push((await service.open('GET', String(paid.headers.location))).text);
        for (const page of pages) {
          assert.ok(page.includes(own), page);
          assert.ok(!page.includes(other));
        }
        const key = id === 'northern' ? service.northern : service.call;
        assert.equal(good(await key('GET', `/results/${requestId}`)).accountId, id);
      });
    }
    it('names neither behind a link that opens nothing', async () => {
      const { status, text } = await service.open('GET', '/r/abcdefghijklmnopqrstuvwxyz');
      assert.equal(status, 404);
      assert.doesNotMatch(text, /Brightwater|Northern/);
    });
    it('names the sender of each message in the outbox', async () => {
      const { text } = await service.open('GET', '/outbox/messages');
      for (const name of ['Brightwater Energy', 'Northern Telecom']) assert.ok(text.includes(`<span class="tag">${name}</span>`), name);
    });
  });

  describe('quotas', () => {
    let limited: TwoAccounts;
    afterEach(() => limited.close());

    it('of calls are counted for each', async () => {
      limited = await startTwoAccounts({ limits: { callsPerAccount: { points: 1, seconds: 600 } } });
      const path = `/results/${ulid()}`;
      assert.deepEqual([(await limited.call('GET', path)).status, (await limited.call('GET', path)).status], [404, 429]);
      assert.equal((await limited.northern('GET', path)).status, 404);
    });
    it('of messages to a number are counted for each', async () => {
      limited = await startTwoAccounts({ limits: { messagesPerDestination: { points: 1, seconds: 600 } } });
      const send = () => limited.call('POST', '/payments/send', { body: sendBody('payments') });
      assert.deepEqual([(await send()).status, (await send()).status], [200, 429]);
      good(await limited.northern('POST', '/payments/send', { body: northernSend }));
    });
    it('of wrong passcodes lock a phone for the account that tried them', async () => {
      limited = await startTwoAccounts({ limits: { passcodeFailures: { anHour: 1000, untilLocked: 2 } } });
      const body = sendBody('one-time-passcode');
      const { requestId } = good(await limited.call('POST', '/one-time-passcode/send', { body }));
      for (const code of ['wrong1', 'wrong2']) await limited.call('POST', '/one-time-passcode/check', { body: { requestId, code } });
      assertProblem(await limited.call('POST', '/one-time-passcode/send', { body }), 409, 'phone_locked');
      good(await limited.northern('POST', '/one-time-passcode/send', { body }));
    });
  });

  describe('passkeys', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-passkeys-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    it('belong to one account, even for customers with the same name', async () => {
      const storage = await openStorage({
        dataDir: folder,
        url: undefined,
        newId: () => ulid(),
        seal: makeSeal('the-pepper-of-this-test-and-no-other'),
        log: makeLog('silent'),
      });
      try {
        const passkeys = makePasskeys(storage);
        const passkey = { id: 'credential', public_key: 'AA', counter: 1, transports: '[]', backed_up: 0 };
        const owner = { account_id: 'first', customer_ref: 'customer-1' };
        const requestId = ulid();
        await storage.requests.accept(acceptance(requestId));
        const act = { by: system, action: 'phone.proven' } as const;
        const use = { counter: 2, backed_up: 0, requestId, at: 2000 };
        assert.ok(await storage.apply(requestId, act, passkeys.adding(owner, passkey, 1000), 1000));
        assert.ok(await storage.apply(requestId, act, passkeys.using('credential', use), 2000));
        assert.equal((await passkeys.ofCustomers('first', ['customer-1'])).length, 1);
        assert.deepEqual(await passkeys.ofCustomers('second', ['customer-1']), []);
        assert.equal(await passkeys.find('second', 'credential'), undefined);
        assert.equal(await passkeys.lastUse('second', ['customer-1']), undefined);
        const [one, two] = [await passkeys.handleOf('first', 'customer-1', 'a'), await passkeys.handleOf('second', 'customer-1', 'b')];
        assert.deepEqual([one, two], ['a', 'b']);
      } finally {
        await storage.close();
      }
    });
  });

  describe('an account that is removed from the file', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-gone-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    it('has keys and links that no longer work, while its requests still end', async () => {
      const time = makeTestTime();
      const catalogueFile = ownCatalogue(folder, twoAccounts);
      const both = await startTestService({ catalogueFile, clock: time.clock, alarm: time.alarm });
      try {
        const authorization = `Bearer ${northernKey}`;
        const { requestId } = good(await both.call('POST', '/payments/send', { body: northernSend, headers: { authorization } }));
        const link = new URL((await both.outbox())[0]?.link ?? '').pathname;
        ownCatalogue(folder, (file) => {
          twoAccounts(file);
          file.accounts.pop();
        });
        await both.restart();
        assertProblem(await both.call('GET', `/requests/${requestId}`, { headers: { authorization } }), 401, 'unauthorized');
        assert.equal((await both.open('GET', link)).status, 410);
        assert.equal((await both.open('POST', link, { body: new URLSearchParams({ decision: 'accept' }) })).status, 410);
        await time.advance(productionLimits.expiryMs.payments, () => both.running.settled());
        ownCatalogue(folder, twoAccounts);
        await both.restart();
        assert.equal(good(await both.call('GET', `/results/${requestId}`, { headers: { authorization } })).status, 'timeout');
      } finally {
        await both.close();
      }
    });
  });
});

describe('the webhooks and the expiry of two accounts', () => {
  it('are separate: each gets its own webhooks only', async () => {
    const [ours, theirs] = [await openWebhookReceiver(), await openWebhookReceiver()];
    const time = makeTestTime();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const service = await startTwoAccounts({ clock: time.clock, alarm: time.alarm }, ({ accounts: [first, second] }) => {
      Object.assign(first, { webhooks: [{ url: ours.url, secret }], expiryMinutes: { 'e-form': 7 } });
      Object.assign(second, { webhooks: [{ url: theirs.url, secret, events: ['task.sent'] }] });
    });
    try {
      const { requestId } = (await service.call('POST', '/e-form/send', { body: shortForm() })).json;
      const other = (await service.northern('POST', '/e-form/send', { body: shortForm() })).json;
      theirs.answer = 410;
      await time.advance(0, () => service.running.settled());
      const about = ({ received }: WebhookReceiver) => received.map(({ payload }) => payload.data.request.id);
      assert.deepEqual([about(ours), about(theirs)], [[requestId], [other.requestId]]);
      const dead = (await service.northern('GET', '/webhooks/dead')).json.webhooks as { id: string }[];
      assert.equal(dead.length, 1);
      assert.deepEqual((await service.call('GET', '/webhooks/dead')).json.webhooks, []);
      assertProblem(await service.call('POST', `/webhooks/dead/${dead[0]?.id}/retry`), 404, 'not_found');
      const minutes = async (call: typeof service.call, id: string) => {
        const { createdAt, expiresAt } = (await call('GET', `/requests/${id}`)).json;
        return (Date.parse(expiresAt) - Date.parse(createdAt)) / 60_000;
      };
      assert.deepEqual([await minutes(service.call, requestId), await minutes(service.northern, other.requestId)], [7, 30]);
    } finally {
      await service.close();
      await ours.close();
      await theirs.close();
    }
  });
});
