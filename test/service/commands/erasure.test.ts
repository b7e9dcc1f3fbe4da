import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditTrail } from '../../../src/contract/index.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { type Eraser, openEraser } from '../../../src/service/index.ts';
import { signInAt } from '../../support/console-visitor.ts';
import { hiddenFields } from '../../support/device.ts';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../support/sends.ts';
import { everythingIn, statement } from '../../support/service-database.ts';
import { sealOf } from '../../support/service-seal.ts';

const account = 'brightwater';
const mei = 'cust-0102-mei';
/** Whatever tells who she is, or leads to her. */
const telling = [mei, 'canary-session', 'canary-reference', 'canary-subject', '127.0.0.0/24'];

/** What does so too, and is not there in the clear before either. */
const sealed = ['Tanaka', '12025550102', 'mei.tanaka@example.com'];

onEachDatabase('erasing a customer', function (start) {
  this.timeout(120_000);
  let service: TestService;
  let rows: (text: string, ...values: (string | number)[]) => ReturnType<typeof statement>;
  beforeEach(async () => {
    service = await start();
    rows = (text, ...values) => statement(service, text, ...values);
  });
  afterEach(() => service.close());

  const send = async (app: Parameters<typeof sendBody>[0], body: object = sendBody(app), headers: Record<string, string> = {}) => {
    const { json } = await service.call('POST', `/${app}/send`, { body: { ...body, sessionRef: 'canary-session' }, headers });
    const [message] = await service.outbox();
    return { id: json.requestId as string, link: message?.link ?? '' };
  };
  /** Somebody who has used everything, and a look at it at the console. */
  const live = async () => {
    const form = await send('e-form', shortForm(), { 'idempotency-key': '01KAH5Z0V8Q2J9XW3N4M5P6R7S' });
    await service.open('POST', `${form.link}/opened`);
    await service.open('POST', form.link, { body: new URLSearchParams(shortAnswer) });
    const signed = await send('document-signature');
    const hidden = hiddenFields((await service.open('GET', signed.link)).text);
    const signature = { ...hidden, decision: 'accept', consent: 'on', name: 'Canary Signer', warned: 'Canary Signer' };
    assert.equal((await service.open('POST', signed.link, { body: new URLSearchParams(signature) })).status, 200);
    const passkey = await send('passkeys', { ...sendBody('passkeys'), subject: 'canary-subject' });
    await service.call('POST', `/requests/${passkey.id}/cancel`);
    const visitor = await signInAt(service);
    await visitor.get(`/console/requests?customer=${mei}+${account}`);
    await visitor.get(`/console/requests/${form.id}`);
    const note =
      "insert into notes (request_id, message_id, type, reference, created_at) values (?, 'm', 'delivery.sent', 'canary-reference', 1)";
    await rows(note, form.id);
    await rows("insert into passkey_users (account_id, customer_ref, handle) values (?, ?, 'h')", account, mei);
    return { ids: [form.id, signed.id, passkey.id], form: form.id, signed: signed.id };
  };
  /** With the service stopped where the database is one process's alone. */
  const erasing = async <Done>(
    work: (eraser: Eraser) => Promise<Done>,
    pepper = service.databaseUrl && 'the-pepper-of-all-replicas-in-these-tests',
  ): Promise<Done> => {
    const { databaseUrl, dataDir } = service;
    if (databaseUrl === undefined) await service.running.close();
    const eraser = await openEraser({ dataDir, databaseUrl, pepper, environment: {}, log: makeLog('silent') });
    try {
      return await work(eraser);
    } finally {
      await eraser.close();
      if (databaseUrl === undefined) await service.restart();
    }
  };
  const trailOf = async (id: string) => auditTrail.parse((await service.call('GET', `/requests/${id}/audit`)).json);

  it('removes everything that identifies them, reports what was removed, and leaves all other customers', async () => {
    const { ids } = await live();
    const other = { ...sendBody('payments'), phoneNumber: '+12025550101', customerRef: 'cust-0101-avery', sessionRef: 'others-session' };
    const { json } = await service.call('POST', '/payments/send', { body: other });
    await service.running.settled();
    const before = await everythingIn(service);
    for (const word of telling) assert.ok(before.includes(word), word);
    for (const word of sealed) assert.ok(!before.includes(word), word);
    const kept = await rows('select * from requests where id = ?', json.requestId);

    await erasing(async (eraser) => {
      assert.deepEqual(await eraser.accountsWith(mei), [account]);
      const counted = await eraser.count(account, mei);
      assert.equal(counted.open, 0);
      const { requests, idempotency, signed_documents, outbox, notes, passkey_users, console_accesses } = counted.rows;
      assert.deepEqual([requests, idempotency, signed_documents, passkey_users, console_accesses], [3, 1, 1, 1, 1]);
      assert.ok((outbox ?? 0) >= 3 && (notes ?? 0) >= 1 && (counted.rows.quotas ?? 0) >= 1);
      assert.deepEqual(await eraser.erase(account, mei), counted);
      const again = await eraser.erase(account, mei);
      assert.ok(Object.values(again.rows).every((count) => count === 0));
      assert.deepEqual(await eraser.accountsWith(mei), []);
      assert.ok(eraser.isListed(account, mei), 'the catalogue is its owner’s to change');
    });
    // Everybody else comes from this machine as well.
    const after = JSON.stringify([
      JSON.parse(await everythingIn(service)),
      await rows("select ip from audit where request_id <> ? and actor = 'customer'", json.requestId),
    ]);
    for (const word of telling.slice(0, -1)) assert.ok(!after.includes(word), word);
    assert.equal(
      (await rows("select * from audit where request_id <> ? and actor = 'customer' and ip is not null", json.requestId)).length,
      0,
    );
    assert.deepEqual(await rows('select * from requests where id = ?', json.requestId), kept);
    assert.equal((await rows('select * from requests where customer_ref = ?', '')).length, ids.length);
    assert.equal((await rows("select * from console_accesses where subject = ''")).length, 2, 'the sign-in, and the look');
  });

  it('leaves audit trails that can still be verified, and records the erasure in them', async () => {
    const { ids, form, signed } = await live();
    const [document] = await rows('select file_digest from signed_documents');
    const earlier = await trailOf(form);
    await erasing((eraser) => eraser.erase(account, mei));
    for (const id of ids) {
      const { entries, intact, head } = await trailOf(id);
      assert.ok(intact, id);
      assert.equal(entries.at(-1)?.action, 'request.erased');
      assert.equal(head.seq, entries.length);
    }
    const { entries, state } = await trailOf(form);
    assert.equal(state, 'success');
    assert.deepEqual(
      entries.slice(0, -1).map(({ hash }) => hash),
      earlier.entries.map(({ hash }) => hash),
    );
    assert.equal((await trailOf(signed)).entries.at(-2)?.detail.file, document?.file_digest, 'a copy of the document can be known by it');
    assert.equal((await service.call('GET', `/requests/${form}`)).json.customerRef, '');
    assert.equal((await service.call('GET', `/results/${form}`)).status, 404);
    const certificate = await service.call('GET', `/requests/${form}/audit.pdf`);
    assert.equal(certificate.status, 200);
    if (service.databaseUrl !== undefined) return;
    const visitor = await signInAt(service);
    const page = (await visitor.get(`/console/requests/${signed}`)).text;
    assert.match(page, /Erased/);
    assert.doesNotMatch(page, /Signed document|href="[^"]*\/documents\//);
    assert.match((await visitor.get('/console/requests')).text, /<span class="who">Erased<\/span>/);
  });

  describe('does not hide tampering with a trail', () => {
    const afterwards: [string, string, object][] = [
      [
        'a fact of an entry that was emptied',
        'update audit set detail = \'{"app":"payments"}\' where request_id = ? and seq = 1',
        { seq: 1, reason: 'changed' },
      ],
      [
        'an address put back',
        "update audit set ip = '10.0.0.0/24' where request_id = ? and actor = 'customer'",
        { seq: 3, reason: 'changed' },
      ],
      [
        'what is told of it',
        "update audit set detail = '{}' where request_id = ? and action = 'request.erased'",
        { seq: 1, reason: 'changed' },
      ],
      ['its entry taken out', "delete from audit where request_id = ? and action = 'request.erased'", { seq: 1, reason: 'changed' }],
      ['another result', "update requests set result = '{}' where id = ?", { seq: 6, reason: 'result' }],
    ];
    for (const [what, text, fault] of afterwards) {
      it(`after it: ${what}`, async () => {
        const { form } = await live();
        await erasing((eraser) => eraser.erase(account, mei));
        await rows(text, form);
        const trail = await trailOf(form);
        assert.deepEqual({ ...trail.fault, seq: what === 'another result' ? 6 : trail.fault?.seq }, fault);
        assert.equal(trail.intact, false);
      });
    }
    const before: [string, string][] = [
      ['an entry that was changed', 'update audit set detail = \'{"customerRef":"x"}\' where request_id = ? and seq = 1'],
      ['a result that was changed', "update requests set result = '{}' where id = ?"],
      ['an entry that was taken out', 'delete from audit where request_id = ? and seq = 2'],
    ];
    for (const [what, text] of before) {
      it(`before it: ${what}`, async () => {
        const { form } = await live();
        await service.running.settled();
        await rows(text, form);
        await erasing((eraser) => eraser.erase(account, mei));
        assert.equal((await trailOf(form)).intact, false);
        assert.ok(!(await everythingIn(service)).includes(mei));
      });
    }
    it('keeps the result of a customer who was not erased', async () => {
      const { form } = await live();
      await rows('update requests set result = null where id = ?', form);
      assert.equal((await trailOf(form)).fault?.reason, 'result');
    });
  });

  it('is refused while requests are open', async () => {
    await live();
    const open = await send('payments');
    const before = await rows('select id, customer_ref from requests order by id');
    const { rows: gone, open: count } = await erasing((eraser) => eraser.erase(account, mei));
    assert.deepEqual([gone, count], [{}, 1]);
    assert.deepEqual(await rows('select id, customer_ref from requests order by id'), before);
    assert.equal((await service.call('POST', `/requests/${open.id}/cancel`)).status, 200);
    assert.equal((await erasing((eraser) => eraser.erase(account, mei))).open, 0);
  });

  it('keeps the quotas of a phone that other customers have too', async () => {
    const shared = { ...sendBody('payments'), phoneNumber: '+12025550101' };
    for (const customerRef of ['cust-0101-avery', 'cust-0101-jordan']) {
      const { json } = await service.call('POST', '/payments/send', { body: { ...shared, customerRef } });
      if (json.requestId) await service.call('POST', `/requests/${json.requestId}/cancel`);
    }
    const quotas = () => rows(`select * from quotas where key like '%${sealOf(service).hashAddress(account, '+12025550101')}'`);
    const before = await quotas();
    assert.ok(before.length > 0);
    await erasing((eraser) => eraser.erase(account, 'cust-0101-avery'));
    assert.deepEqual(await quotas(), before);
  });

  it('is refused with another pepper than the service’s, which would spoil every trail, before anything is changed', async () => {
    await live();
    await service.running.settled();
    // As an earlier version left it, with a migration to come that uses the pepper.
    await rows("delete from kysely_migration where name >= '0014-quota-digests'");
    await rows('drop table former_links');
    const before = await rows('select * from quotas order by key');
    await assert.rejects(
      erasing(async () => {}, 'another-pepper-than-that-of-the-replicas'),
      (fault) => fault instanceof SettingsError && /^(?:SERVICE_PEPPER|DATA_DIR): holds another pepper/.test(fault.message),
    );
    assert.deepEqual(await rows('select * from quotas order by key'), before);
    assert.deepEqual(await rows("select name from kysely_migration where name >= '0014-quota-digests'"), []);
  });

  it('leaves nothing in the database’s files', async () => {
    if (service.databaseUrl !== undefined) return;
    await live();
    await service.running.close();
    const files = () =>
      readdirSync(service.dataDir)
        .filter((name) => name.startsWith('service.db'))
        .map((name) => readFileSync(join(service.dataDir, name)).toString('latin1'))
        .join('');
    for (const word of telling) assert.ok(files().includes(word), word);
    for (const word of sealed) assert.ok(!files().includes(word), word);
    const eraser = await openEraser({ dataDir: service.dataDir, environment: {}, log: makeLog('silent') });
    await eraser.erase(account, mei);
    for (const word of telling.slice(0, -1)) assert.ok(!files().includes(word), word);
    await eraser.close();
    for (const word of telling.slice(0, -1)) assert.ok(!files().includes(word), word);
    await service.restart();
  });
});
