import assert from 'node:assert/strict';
import { sealDetails } from '../../../../src/service/core/store/migrations/0013-sealed-details.ts';
import { makeSealedColumns } from '../../../../src/service/core/store/sealed-columns.ts';
import { closeCodes } from '../../../../src/service/core/websocket/sockets.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { migrateAgain } from '../../../support/migrate-again.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { statement } from '../../../support/service-database.ts';
import { connectTo } from '../../../support/service-socket.ts';
import { until } from '../../../support/until.ts';

onEachDatabase('a request in the database', (startTestService) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  const send = async (app: Parameters<typeof sendBody>[0], more: object = {}): Promise<{ id: string; wsToken: string }> => {
    const { json } = await service.call('POST', `/${app}/send`, { body: { ...sendBody(app), ...more } });
    await service.running.settled();
    return { id: json.requestId, wsToken: json.wsToken };
  };
  const stored = async (id: string) => (await statement(service, 'select * from requests where id = ?', id))[0] ?? {};
  /** Where its message went, as its account is told. */
  const told = async ({ wsToken }: { readonly wsToken: string }) => {
    const { frames, socket } = await connectTo(service.running.wsUrl, wsToken);
    const [first] = await until(() => frames.length > 0 && frames);
    socket.terminate();
    return first?.payload?.delivery?.phoneNumber;
  };
  const telling = /2025550102|[Tt]anaka|canary/;

  it('reveals neither its customer nor its subject, before it ends and after', async () => {
    const request = await send('passkeys', { subject: 'canary-subject', message: 'canary-message' });
    const { id } = request;
    assert.equal(await told(request), '+12025550102');
    const row = await stored(id);
    assert.match(row.details, /^[A-Za-z0-9+/]+=*$/);
    assert.doesNotMatch(JSON.stringify(row), telling);
    assert.doesNotMatch(Buffer.from(row.details, 'base64').toString('latin1'), telling);
    await service.call('POST', `/requests/${id}/cancel`);
    assert.doesNotMatch(JSON.stringify(await stored(id)), telling);
  });

  it('has a digest of each of its addresses, the same as others of the account have', async () => {
    const digests = async (id: string) => String((await stored(id)).addresses).split(' ');
    const payment = await digests((await send('payments')).id);
    const passkey = await digests((await send('passkeys')).id);
    assert.equal(payment.length, 1);
    assert.equal(passkey.length, 2, 'a phone number and an e-mail address');
    assert.ok(passkey.includes(payment[0] ?? ''));
    for (const digest of passkey) assert.match(digest, /^[\w-]{43}$/);
  });

  it('whose details were replaced by another’s reveals nothing, and delays nobody else', async () => {
    const [one, other] = [await send('payments'), await send('payments')];
    await statement(service, 'update requests set details = ? where id = ?', (await stored(one.id)).details, other.id);
    const socket = await connectTo(service.running.wsUrl, other.wsToken);
    assert.equal(await socket.closed(), closeCodes.fault);
    assert.equal(await told(one), '+12025550102');
  });

  it('of an earlier version is sealed by a migration; what was emptied stays empty', async () => {
    const request = await send('passkeys');
    const { id } = request;
    const { id: emptied } = await send('passkeys');
    const { addresses } = await stored(id);
    const change = (text: string, ...values: string[]) => statement(service, text, ...values);
    const input = JSON.stringify({ subject: 'canary', message: 'canary' });
    const to = JSON.stringify([{ to: 'mei.tanaka@example.com', name: 'Mei Tanaka' }]);
    await change('alter table requests drop column details');
    await change('alter table requests drop column addresses');
    await change('alter table requests add column phone_number text');
    for (const name of ['recipients', 'input']) await change(`alter table requests add column ${name} text not null default ''`);
    await change('update requests set phone_number = ?, recipients = ?, input = ? where id = ?', '+12025550102', to, input, id);
    await change("update requests set customer_ref = '', recipients = '[]', input = '{}' where id = ?", emptied);
    await migrateAgain(service, (seal) => sealDetails(makeSealedColumns(seal).details));
    const row = await stored(id);
    assert.doesNotMatch(JSON.stringify(row), telling);
    assert.ok(!('phone_number' in row) && !('recipients' in row) && !('input' in row));
    assert.equal(row.addresses, addresses);
    assert.equal(await told(request), '+12025550102');
    const { details, addresses: none } = await stored(emptied);
    assert.deepEqual([details, none], [null, '']);
  });
});
