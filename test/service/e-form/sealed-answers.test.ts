import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactEncrypt, exportJWK, generateKeyPair, type JWK } from 'jose';
import { makeLog } from '../../../src/platform/log.ts';
import type { EncryptionKey } from '../../../src/service/core/catalogue/fields.ts';
import { openSealed } from '../../../src/service/index.ts';
import { launchBrowser, shoot, type TestBrowser } from '../../support/browser.ts';
import { ownCatalogue } from '../../support/own-catalogue.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';
import { connectTo } from '../../support/service-socket.ts';

const formId = '6f1c0000-0000-4000-8000-000000000002';
const canaries = ['canary-name', 'canary-identity', '1987-06-05', '4321.5'];

describe('the answers of a zero-knowledge form', () => {
  let service: TestService;
  const lines: string[] = [];
  before(async () => {
    service = await startTestService({ log: makeLog('debug', { write: (line) => void lines.push(line) }) });
  });
  after(() => service.close());

  const start = async () => {
    const { json } = await service.call('POST', '/e-form/send', { body: { ...sendBody('e-form'), formId } });
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, wsToken: json.wsToken as string, link: message?.link ?? '' };
  };
  const result = async (id: string) => (await service.call('GET', `/results/${id}`)).json;
  const keyFile = (half: string) => join(service.dataDir, `account.${half}.jwk`);
  const privateKey = (): JWK => JSON.parse(readFileSync(keyFile('private'), 'utf8'));
  const publicKey = (): EncryptionKey => JSON.parse(readFileSync(keyFile('public'), 'utf8'));
  const sealed = (content: object, header: object = {}, key: JWK = publicKey()) =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: publicKey().kid, ...header })
      .encrypt(key);
  const post = (link: string, fields: Record<string, string>) =>
    service.open('POST', link, { body: new URLSearchParams({ decision: 'accept', ...fields }) });

  describe('from a real page', function () {
    this.timeout(60_000);
    let browser: TestBrowser;
    let requestId: string;
    let wsToken: string;
    const posted: string[] = [];
    before(async () => {
      browser = await launchBrowser();
      const sent = await start();
      ({ requestId, wsToken } = sent);
      const { page, complaints } = await browser.page({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
      page.on('request', (request) => {
        if (request.method() === 'POST') posted.push(request.postData() ?? '');
      });
      await page.goto(sent.link);
      await page.getByLabel('Full name').fill('canary-name');
      await page.getByLabel('Date of birth').fill('1987-06-05');
      await page.getByLabel('Number of your identity card').fill('canary-identity');
      await page.getByLabel('Monthly income').fill('4321.5');
      await shoot(page, 'form-sealed');
      await page.getByLabel('Monthly income').press('Enter');
      await page.getByRole('heading', { name: 'Your answers were sent' }).waitFor();
      assert.deepEqual(complaints, []);
    });
    after(() => browser.close());

    it('leave the device as one text, and nothing else', () => {
      const [body] = posted.filter((text) => text !== '');
      assert.deepEqual([...new URLSearchParams(body).keys()].sort(), ['answers', 'decision']);
      for (const canary of canaries) assert.ok(!posted.join().includes(canary), canary);
    });

    it('are one item of the result, with its type', async () => {
      const { data, zeroKnowledge } = await result(requestId);
      assert.equal(zeroKnowledge, true);
      assert.equal(data.length, 1);
      assert.deepEqual([data[0].type, data[0].key], ['jwe', '$jwe']);
      assert.equal(data[0].value.split('.').length, 5);
    });

    it('are opened by the account, with the request they belong to', async () => {
      assert.deepEqual(await openSealed(await result(requestId), privateKey()), {
        requestId,
        formId,
        answers: [
          { type: 'text', key: 'fullName', value: 'canary-name' },
          { type: 'date', key: 'dateOfBirth', value: '1987-06-05' },
          { type: 'text', key: 'idNumber', value: 'canary-identity' },
          { type: 'number', key: 'income', value: 4321.5 },
        ],
      });
    });

    it('are in no event, not even encrypted', async () => {
      const socket = await connectTo(service.running.wsUrl, wsToken);
      await socket.closed();
      const last = socket.frames.at(-1);
      assert.equal(last?.type, 'task.succeeded');
      assert.deepEqual(last?.payload?.['e-form'], { form: { id: formId, title: 'Opening an account' } });
    });

    it('are in no log and no file of the service', () => {
      const files = readdirSync(service.dataDir).map((name) => readFileSync(join(service.dataDir, name)));
      for (const canary of canaries) {
        assert.ok(!lines.join('').includes(canary), canary);
        for (const file of files) assert.ok(!file.includes(canary), canary);
      }
    });
  });

  describe('are not accepted', () => {
    const answers = [{ type: 'text', key: 'fullName', value: 'canary-refused' }];
    const cases: [string, () => Promise<Record<string, string>> | Record<string, string>][] = [
      ['in plain', () => ({ 'a.fullName': 'canary-refused', 'a.idNumber': 'canary-refused' })],
      ['as JSON', () => ({ answers: JSON.stringify(answers) })],
      ['as nothing', () => ({})],
      ['as five parts of nothing', () => ({ answers: '....' })],
      ['under a weaker algorithm', async () => ({ answers: await sealed({ answers }, { enc: 'A128GCM' }) })],
      ['without wrapping a key', async () => ({ answers: await sealed({ answers }, { alg: 'ECDH-ES' }) })],
      ['for a key of another name', async () => ({ answers: await sealed({ answers }, { kid: 'another' }) })],
    ];
    for (const [what, fields] of cases) {
      it(what, async () => {
        const { requestId, link } = await start();
        const reply = await post(link, await fields());
        assert.equal(reply.status, 422);
        assert.ok(!reply.text.includes('canary-refused'));
        assert.equal((await service.call('GET', `/results/${requestId}`)).status, 404);
        for (const name of readdirSync(service.dataDir)) {
          assert.ok(!readFileSync(join(service.dataDir, name)).includes('canary-refused'), name);
        }
      });
    }
  });

  describe('cannot be opened', () => {
    const record = (id: string, value: unknown, change: object = {}) => ({
      ...{ accountId: 'brightwater', app: 'e-form', customerRef: 'cust-0102-mei', id, sessionRef: 'session-0001', status: 'success' },
      ...{ timestamp: '2026-11-20T09:00:00.000Z', zeroKnowledge: true, data: [{ type: 'jwe', key: '$jwe', value }] },
      ...change,
    });
    const own = '01KAH5Z0V8Q2J9XW3N4M5P6R7S';
    const content = { requestId: own, formId, answers: [] };

    it('from the result of another request', async () => {
      const moved = record('01ARZ3NDEKTSV4RRFFQ69G5FAV', await sealed(content));
      assert.deepEqual(await openSealed(moved, privateKey()), { fault: 'of_another_request' });
    });

    it('with another key, or after a change', async () => {
      const { publicKey: other } = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256' });
      const forOther = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(content)))
        .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: publicKey().kid })
        .encrypt(other);
      const parts = (await sealed(content)).split('.');
      parts[3] = `${parts[3]?.startsWith('A') ? 'B' : 'A'}${parts[3]?.slice(1)}`;
      for (const value of [forOther, parts.join('.'), 'nothing', 'a.b.c.d.e']) {
        assert.deepEqual(await openSealed(record(own, value), privateKey()), { fault: 'not_for_this_key' });
      }
    });

    for (const [what, given] of [
      ['a record of another app', record(own, 'x', { app: 'passkeys', action: 'authentication' })],
      ['a form in plain', record(own, 'x', { zeroKnowledge: false })],
      ['a form without answers', record(own, 'x', { data: [] })],
      ['nothing', null],
    ] as const) {
      it(`from ${what}`, async () => {
        assert.deepEqual(await openSealed(given, privateKey()), { fault: 'no_sealed_answers' });
      });
    }
  });

  describe('are encrypted for a key', () => {
    it('that is made once, with a private half that only this user can read', async () => {
      const before = [privateKey(), publicKey()];
      await service.restart();
      assert.deepEqual([privateKey(), publicKey()], before);
      assert.equal(statSync(keyFile('private')).mode & 0o777, 0o600);
      assert.equal('d' in publicKey(), false);
      const { text } = await service.open('GET', (await start()).link);
      assert.ok(text.includes(publicKey().x));
      assert.ok(!text.includes(String(privateKey().d)), 'no page holds the private half');
    });

    it('that the catalogue names, if it names one: only that key opens the result', async () => {
      const own = await generateKeyPair('ECDH-ES+A256KW', { crv: 'P-256', extractable: true });
      const encryptionKey = { ...(await exportJWK(own.publicKey)), kid: 'own' };
      const folder = mkdtempSync(join(tmpdir(), 'countersign-own-key-'));
      const catalogueFile = ownCatalogue(folder, ({ account }) => (account.encryptionKey = encryptionKey));
      const withOwn = await startTestService({ catalogueFile });
      try {
        const { json } = await withOwn.call('POST', '/e-form/send', { body: { ...sendBody('e-form'), formId } });
        const { requestId } = json as { requestId: string };
        const link = (await withOwn.outbox())[0]?.link ?? '';
        const shown = /data-seal="([^"]+)"/.exec((await withOwn.open('GET', link)).text)?.[1] ?? assert.fail('the page seals nothing');
        const { key } = JSON.parse(shown.replaceAll('&quot;', '"')) as { key: EncryptionKey };
        const answers = await sealed({ requestId, formId, answers: [] }, { kid: key.kid }, key);
        await withOwn.open('POST', link, { body: new URLSearchParams({ decision: 'accept', answers }) });
        const record = (await withOwn.call('GET', `/results/${requestId}`)).json;
        assert.deepEqual(await openSealed(record, await exportJWK(own.privateKey)), { requestId, formId, answers: [] });
      } finally {
        await withOwn.close();
        rmSync(folder, { recursive: true });
      }
    });
  });
});
