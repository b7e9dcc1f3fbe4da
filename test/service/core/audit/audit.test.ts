import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'content-disposition';
import fc from 'fast-check';
import { auditTrail } from '../../../../src/contract/index.ts';
import { hiddenFields } from '../../../support/device.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { readSignature } from '../../../support/pdf-signature.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../../support/sends.ts';
import { statement } from '../../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../../support/test-time.ts';

const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

onEachDatabase("a request's audit trail", function (startTestService) {
  this.timeout(120_000);
  let time: TestTime;
  let service: TestService;
  before(async () => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm, limits: { resendCooldownsMs: [0] } });
  });
  after(() => service.close());

  const read = async (id: string) => {
    const { status, json } = await service.call('GET', `/requests/${id}/audit`);
    assert.equal(status, 200, JSON.stringify(json));
    return auditTrail.parse(json);
  };
  const send = async (app: Parameters<typeof sendBody>[0], body: object = sendBody(app)) => {
    const { json } = await service.call('POST', `/${app}/send`, { body, headers: { 'user-agent': 'a-bot/1.0' } });
    const [message] = await service.outbox();
    return { requestId: json.requestId as string, link: message?.link ?? '', code: message?.code ?? '' };
  };
  const post = (link: string, fields: Record<string, string>) =>
    service.open('POST', link, { body: new URLSearchParams(fields), headers: { 'user-agent': phone } });
  /** One that has seen a bit of everything. */
  const whole = async () => {
    const sent = await send('e-form', shortForm());
    await service.call('POST', `/requests/${sent.requestId}/resend`);
    const link = (await service.outbox())[0]?.link ?? '';
    await post(`${link}/opened`, {});
    await post(link, shortAnswer);
    return sent.requestId;
  };
  const acts = async (id: string) => (await read(id)).entries.map(({ actor, action }) => `${actor.replace(/:.*/, '')} ${action}`);

  it('shows who did what, what was shown, when, and from where', async () => {
    const requestId = await whole();
    const { entries, intact, state } = await read(requestId);
    assert.deepEqual([intact, state], [true, 'success']);
    assert.deepEqual(
      entries.map(({ actor, action }) => [actor.replace(/:.*/, ''), action]),
      [
        ['account', 'request.accepted'],
        ['system', 'task.sent'],
        ['account', 'message.resent'],
        ['system', 'task.sent'],
        ['customer', 'task.bootstrapped'],
        ['customer', 'task.started'],
        ['customer', 'task.succeeded'],
      ],
    );
    const [accepted, sent] = entries;
    assert.equal(accepted?.actor, `account:${sha256(service.running.secretKey).slice(0, 8)}`);
    assert.deepEqual([accepted?.ip, accepted?.userAgent], ['127.0.0.0/24', 'another program']);
    assert.deepEqual([sent?.ip, sent?.userAgent], [null, null]);
    const [opened] = entries.slice(-3);
    assert.deepEqual([opened?.ip, opened?.userAgent], ['127.0.0.0/24', 'Safari on iOS']);
    assert.equal(opened?.detail.form, '6f1c0000-0000-4000-8000-000000000003');
    assert.match(String(opened?.detail.text), /^[0-9a-f]{64}$/);
    const { text } = await service.call('GET', `/results/${requestId}`);
    assert.equal(entries.at(-1)?.detail.result, sha256(text));
  });

  it('can be verified by anybody who has it', async () => {
    const { id, entries, head } = await read(await whole());
    let previous = '0'.repeat(64);
    for (const { seq, timestamp, actor, action, detail, ip, userAgent, previous: told, hash } of entries) {
      assert.equal(told, previous);
      assert.equal(hash, sha256(JSON.stringify([id, seq, timestamp, actor, action, JSON.stringify(detail), ip, userAgent, told])));
      previous = hash;
    }
    assert.deepEqual(head, { seq: entries.length, hash: previous });
  });

  it('has the digests of a document’s text and file, and neither its signer nor its link', async () => {
    const { requestId, link } = await send('document-signature');
    const hidden = hiddenFields((await service.open('GET', link)).text);
    assert.equal(
      (await post(link, { ...hidden, decision: 'accept', consent: 'on', name: 'Canary Signer', warned: 'Canary Signer' })).status,
      200,
    );
    const { entries } = await read(requestId);
    const [stored] = await statement(service, 'select * from signed_documents where request_id = ?', requestId);
    assert.equal(entries.find(({ action }) => action === 'task.bootstrapped')?.detail.text, hidden.shown);
    assert.deepEqual([entries.at(-1)?.detail.text, entries.at(-1)?.detail.file], [stored?.text_digest, stored?.file_digest]);
    const text = JSON.stringify(entries);
    for (const secret of ['Canary Signer', link.split('/').at(-1) ?? '']) assert.ok(!text.includes(secret));
  });

  it('has the amount, the gateway and the payment', async () => {
    const { requestId, link } = await send('payments');
    const { text } = await post(link, { decision: 'accept' });
    const { pathname } = new URL(/content="0;url=([^"]+)"/.exec(text)?.[1] ?? '');
    assert.equal((await post(pathname, { card: 'approved' })).status, 303);
    const { entries } = await read(requestId);
    const detail = (action: string) => entries.find((entry) => entry.action === action)?.detail;
    const { amount, currency } = detail('request.accepted') ?? {};
    assert.match(String(amount), /^\d+\.\d\d$/);
    assert.deepEqual(detail('checkout.opened'), { amount, attempt: 1, currency, gateway: 'sandbox' });
    const { json } = await service.call('GET', `/results/${requestId}`);
    const { result, ...paid } = detail('task.succeeded') ?? {};
    assert.deepEqual(paid, { amount, currency, gateway: 'sandbox', transaction: json.transactionId });
  });

  it('has every check of a passcode, and nothing that reveals a code', async () => {
    const { requestId, code } = await send('one-time-passcode');
    const check = (typed: string) => service.call('POST', '/one-time-passcode/check', { body: { requestId, code: typed } });
    await check(code === '000000' ? '000001' : '000000');
    await check(code);
    assert.deepEqual(await acts(requestId), [
      'account request.accepted',
      'system task.sent',
      'account passcode.checked',
      'account passcode.checked',
      'account task.succeeded',
    ]);
    const text = JSON.stringify((await read(requestId)).entries);
    for (const secret of [code, sha256(code)]) assert.ok(!text.includes(`"${secret}"`));
  });

  const endings: [string, (id: string, link: string) => Promise<unknown>, string][] = [
    ['the account withdraws', (id) => service.call('POST', `/requests/${id}/cancel`), 'account request.cancelled'],
    ['the customer declines', (_, link) => post(link, { decision: 'decline' }), 'customer task.failed'],
    ['nobody answers', () => time.advance(3_600_000, () => service.running.settled()), 'system task.timed_out'],
  ];
  for (const [what, end, last] of endings) {
    it(`ends with “${last}” when ${what}`, async () => {
      const { requestId, link } = await send('e-form', shortForm());
      await end(requestId, link);
      assert.equal((await acts(requestId)).at(-1), last);
      assert.equal((await read(requestId)).intact, true);
    });
  }

  it('stays in order even if much happens at once', async () => {
    const { requestId, link } = await send('e-form', shortForm());
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index === 20 ? post(link, shortAnswer) : index % 2 ? post(`${link}/opened`, {}) : post(`${link}/started`, {}),
      ),
    );
    const { intact, entries } = await read(requestId);
    assert.equal(intact, true);
    assert.deepEqual(entries.map(({ action }) => action).sort(), [
      'request.accepted',
      'task.bootstrapped',
      'task.sent',
      'task.started',
      'task.succeeded',
    ]);
  });

  it('is readable by its own account only, and for existing requests only', async () => {
    const requestId = await whole();
    for (const path of ['audit', 'audit.pdf']) {
      assert.equal((await service.open('GET', `/requests/${requestId}/${path}`)).status, 401);
      assert.equal((await service.call('GET', `/requests/01ARZ3NDEKTSV4RRFFQ69G5FAV/${path}`)).status, 404);
      assert.equal((await service.call('GET', `/requests/nothing/${path}`)).status, 422);
    }
  });

  describe('that was tampered with', () => {
    let requestId: string;
    let length: number;
    before(async () => {
      requestId = await whole();
      length = (await read(requestId)).entries.length;
    });
    const put = (column: string, seq: number, value: string | number | null) =>
      statement(service, `update audit set ${column} = ? where request_id = ? and seq = ?`, value, requestId, seq);

    const text = fc.string({ unit: 'grapheme-ascii', maxLength: 20 });
    const digest = fc.oneof(fc.stringMatching(/^[0-9a-f]{64}$/), text);
    const changes: Record<string, fc.Arbitrary<string | number | null>> = {
      at: fc.oneof(fc.integer({ min: 0, max: 2 ** 42 }), fc.constantFrom(-1, Number.MAX_SAFE_INTEGER)),
      actor: text,
      action: text,
      detail: fc.oneof(text, fc.json()),
      ip: fc.option(text),
      user_agent: fc.option(text),
      previous: digest,
      hash: digest,
    };
    for (const [column, values] of Object.entries(changes)) {
      it(`in any entry's ${column} is reported at that entry`, () =>
        fc.assert(
          fc.asyncProperty(fc.integer({ min: 1, max: length }), values, async (seq, value) => {
            const [before] = await statement(service, `select ${column} as it from audit where request_id = ? and seq = ?`, requestId, seq);
            fc.pre(before?.it !== value);
            await put(column, seq, value);
            const { intact, fault } = await read(requestId).finally(() => put(column, seq, before?.it));
            assert.deepEqual([intact, fault?.seq, fault?.reason], [false, seq, 'changed']);
          }),
          { numRuns: 15 },
        ));
    }

    it('by copying the whole chain with other facts and valid digests is reported as not sealed', async () => {
      const { id, entries, head } = await read(requestId);
      let previous = '0'.repeat(64);
      for (const { seq, timestamp, actor, detail, ip, userAgent, action } of entries) {
        const forged = seq === 1 ? { ...detail, customerRef: 'somebody-else' } : detail;
        const hash = sha256(JSON.stringify([id, seq, timestamp, actor, action, JSON.stringify(forged), ip, userAgent, previous]));
        await put('detail', seq, JSON.stringify(forged));
        await put('previous', seq, previous);
        await put('hash', seq, hash);
        previous = hash;
      }
      assert.deepEqual((await read(requestId)).fault, { seq: length, reason: 'unsealed' });
      await statement(service, 'update requests set audit_hash = ? where id = ?', previous, requestId);
      assert.deepEqual((await read(requestId)).fault, { seq: length, reason: 'unsealed' });
      await statement(service, 'update requests set audit_hash = ? where id = ?', head.hash, requestId);
      for (const { seq, detail, previous: before, hash } of entries) {
        await put('detail', seq, JSON.stringify(detail));
        await put('previous', seq, before);
        await put('hash', seq, hash);
      }
      assert.equal((await read(requestId)).intact, true);
    });

    it('by removing any entry, including the last, is reported at the gap', async () => {
      for (const seq of Array.from({ length }, (_, index) => index + 1)) {
        const [row] = await statement(service, 'select * from audit where request_id = ? and seq = ?', requestId, seq);
        await statement(service, 'delete from audit where request_id = ? and seq = ?', requestId, seq);
        assert.deepEqual((await read(requestId)).fault, { seq, reason: 'missing' });
        const columns = Object.keys(row ?? {});
        const marks = columns.map(() => '?').join();
        await statement(service, `insert into audit (${columns.join()}) values (${marks})`, ...columns.map((name) => row?.[name]));
      }
      assert.equal((await read(requestId)).intact, true);
    });

    it('by moving an entry, or giving it to another request, is reported at the gap', async () => {
      const [one, other] = [await whole(), await whole()];
      const move = (to: number, from: number) =>
        statement(service, 'update audit set seq = ? where request_id = ? and seq = ?', to, one, from);
      await move(length + 5, 3);
      assert.deepEqual((await read(one)).fault, { seq: 3, reason: 'missing' });
      await move(3, 4);
      assert.deepEqual((await read(one)).fault, { seq: 3, reason: 'changed' });
      await statement(service, 'delete from audit where request_id = ? and seq = 2', other);
      await statement(service, 'update audit set request_id = ? where request_id = ? and seq = 2', other, one);
      assert.deepEqual((await read(one)).fault, { seq: 2, reason: 'missing' });
      assert.deepEqual((await read(other)).fault, { seq: 2, reason: 'changed' });
    });

    it('by resetting the end of the chain is reported as not sealed', async () => {
      const other = await whole();
      await statement(service, 'delete from audit where request_id = ? and seq = ?', other, length);
      const { entries } = await read(other);
      const last = entries.at(-1);
      await statement(service, 'update requests set audit_seq = ?, audit_hash = ? where id = ?', length - 1, last?.hash ?? '', other);
      assert.deepEqual((await read(other)).fault, { seq: length - 1, reason: 'unsealed' });
      await statement(service, "update requests set audit_seq = 0, audit_hash = '', audit_seal = '' where id = ?", other);
      await statement(service, 'delete from audit where request_id = ?', other);
      assert.deepEqual((await read(other)).fault, { seq: 1, reason: 'missing' });
    });

    it('in the result of its last entry is reported at that entry', async () => {
      const other = await whole();
      await statement(service, "update requests set result = 'AAAA' || substr(result, 5) where id = ?", other);
      assert.deepEqual((await read(other)).fault, { seq: length, reason: 'result' });
      const open = await send('e-form', shortForm());
      await statement(service, "update requests set state = 'success', result = '{}' where id = ?", open.requestId);
      assert.equal((await read(open.requestId)).fault?.reason, 'result');
    });

    it('is not certified', async () => {
      await put('actor', 2, 'customer');
      const { status, json } = await service.call('GET', `/requests/${requestId}/audit.pdf`);
      assert.deepEqual([status, json.code], [500, 'audit_damaged']);
      await put('actor', 2, 'system');
    });
  });

  for (const [language, called] of [
    ['en', /^Audit certificate – Direct debit mandate – [A-Z][a-z]+ \d+, \d{4}\.pdf$/],
    ['es', /^Certificado de auditoría – Direct debit mandate – \d+ de [a-z]+ de \d{4}\.pdf$/],
  ] as const) {
    it(`is available as a certificate whose seal an independent verifier accepts (${language})`, async () => {
      const { requestId, link } = await send('document-signature');
      for (let times = 0; times < 6; times += 1) await service.call('POST', `/requests/${requestId}/resend`);
      const newest = (await service.outbox())[0]?.link ?? link;
      const hidden = hiddenFields((await service.open('GET', newest)).text);
      await post(newest, { ...hidden, decision: 'accept', consent: 'on', name: 'Lucía Ñandú', warned: 'Lucía Ñandú' });
      const response = await fetch(`${service.running.baseUrl}/requests/${requestId}/audit.pdf`, {
        headers: { authorization: `Bearer ${service.running.secretKey}`, 'accept-language': language },
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/pdf');
      const name = parse(response.headers.get('content-disposition') ?? '').parameters.filename;
      assert.match(name ?? '', called);
      const file = Buffer.from(await response.arrayBuffer());
      assert.equal((await readSignature(file)).valid, true);
      if (!existsSync('.shots')) mkdirSync('.shots');
      writeFileSync(join('.shots', `audit-${language}.pdf`), file);
    });
  }
});
