import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onEachDatabase } from '../../support/each-database.ts';
import type { TestService } from '../../support/running-service.ts';
import { sendBody, shortAnswer, shortForm } from '../../support/sends.ts';
import { everythingIn, statement } from '../../support/service-database.ts';
import { makeTestTime, type TestTime } from '../../support/test-time.ts';
import { until } from '../../support/until.ts';

const day = 24 * 60 * 60_000;
/** What a customer leaves behind: who they are, from where, and what they said. */
const canaries = [
  '+12025550102',
  'cust-0102-mei',
  'Mei Tanaka',
  'mei.tanaka',
  'session-0001',
  'canary-comment',
  '127.0.0.1',
  'canary-agent',
];

onEachDatabase('what the service keeps', (startTestService) => {
  let time: TestTime;
  let service: TestService;
  const limits = { messagesPerDestination: { points: 50, seconds: 600 }, passcodeFailures: { anHour: 50, untilLocked: 50 } };
  const start = async (retentionDays?: number) => {
    time = makeTestTime();
    service = await startTestService({ clock: time.clock, alarm: time.alarm, limits, ...(retentionDays && { retentionDays }) });
  };
  afterEach(() => service.close());

  const send = async (app: Parameters<typeof sendBody>[0], body: object = sendBody(app), headers = {}) => {
    const { status, json, text } = await service.call('POST', `/${app}/send`, { body, headers });
    assert.equal(status, 200, text);
    return { requestId: json.requestId as string, link: (await service.outbox())[0]?.link ?? '' };
  };
  /** One of everything, ended in every way. */
  const live = async () => {
    const headers = { 'user-agent': 'canary-agent' };
    const form = await send('e-form', shortForm(), { 'idempotency-key': 'key-0001' });
    const answer = { ...shortAnswer, 'a.comment': 'canary-comment' };
    assert.equal((await service.open('POST', form.link, { body: new URLSearchParams(answer), headers })).status, 200);
    const paid = await send('payments');
    await service.call('POST', `/requests/${paid.requestId}/cancel`);
    const { requestId } = await send('one-time-passcode');
    for (let tries = 0; tries < 5; tries += 1)
      await service.call('POST', '/one-time-passcode/check', { body: { requestId, code: 'wrong0' } });
    await send('document-signature');
    await send('passkeys');
    return form.requestId;
  };
  const later = async (milliseconds: number) => {
    await time.advance(milliseconds, () => service.running.settled());
    await service.restart();
  };
  const count = async (table: string) => Number((await statement(service, `select count(*) as count from ${table}`))[0]?.count);
  const emptied = async () => Number((await statement(service, "select count(*) as count from requests where session_ref = ''"))[0]?.count);

  it('is anonymous after two years, while each trail still proves what was done', async () => {
    await start();
    const id = await live();
    const before = await everythingIn(service);
    for (const canary of ['cust-0102-mei', 'session-0001']) assert.ok(before.includes(canary), canary);
    assert.ok(!before.includes('12025550102'), 'a phone is not in the clear from the beginning');
    const digests = await statement(service, 'select hash from audit where request_id = ? order by seq', id);
    await later(730 * day);
    await until(async () => (await emptied()) === 5, 'everything is emptied');
    const gone = [
      'checkouts',
      'deliveries',
      'events',
      'gateway_events',
      'idempotency',
      'notes',
      'outbox',
      'passkey_challenges',
      'passkeys',
    ];
    for (const table of [...gone, 'passkey_users', 'phone_proofs', 'quotas', 'sandbox_checkouts', 'signed_documents', 'webhooks'])
      await until(async () => (await count(table)) === 0, `${table} is empty`);
    assert.equal(await count('requests'), 5);
    const trail = (await service.call('GET', `/requests/${id}/audit`)).json;
    assert.equal(trail.intact, true);
    assert.deepEqual(
      (await statement(service, 'select hash from audit where request_id = ? order by seq', id)).slice(0, digests.length),
      digests,
    );
    const after = await everythingIn(service);
    for (const canary of canaries) assert.ok(!after.includes(canary), canary);
    if (service.databaseUrl !== undefined) return;
    await service.running.close();
    const file = readFileSync(join(service.dataDir, 'service.db'), 'latin1');
    for (const canary of canaries) assert.ok(!file.includes(canary), `${canary} is in the file`);
    rmSync(join(service.dataDir, 'service.db'));
  });

  it('is kept until its last day, and no longer', async () => {
    await start(30);
    await live();
    await time.advance(day, () => service.running.settled());
    const [{ last } = { last: 0 }] = await statement(service, 'select max(finished_at) as last from requests');
    await later(Number(last) + 30 * day - time.clock.now());
    await until(async () => (await emptied()) === 4, 'what ended sooner is emptied');
    await later(1);
    await until(async () => (await emptied()) === 5, 'the last is emptied');
  });
});
