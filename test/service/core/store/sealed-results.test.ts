import assert from 'node:assert/strict';
import { sealResults } from '../../../../src/service/core/store/migrations/0010-sealed-results.ts';
import { makeSealedColumns } from '../../../../src/service/core/store/sealed-columns.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { migrateAgain } from '../../../support/migrate-again.ts';
import type { TestService } from '../../../support/running-service.ts';
import { shortAnswer, shortForm } from '../../../support/sends.ts';
import { statement } from '../../../support/service-database.ts';

onEachDatabase('a result in the database', (startTestService) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  const finish = async () => {
    const { requestId } = (await service.call('POST', '/e-form/send', { body: shortForm() })).json;
    const link = (await service.outbox())[0]?.link ?? '';
    await service.open('POST', link, { body: new URLSearchParams(shortAnswer), headers: { 'user-agent': 'canary-agent' } });
    return requestId as string;
  };
  const stored = async (id: string): Promise<string> =>
    (await statement(service, 'select result from requests where id = ?', id))[0]?.result;
  const told = (id: string) => service.call('GET', `/results/${id}`);

  it('is sealed: it reveals neither whose phone it was nor where it was answered', async () => {
    const id = await finish();
    const { json } = await told(id);
    assert.deepEqual([json.phoneNumber, json.ipAddress, json.userAgent], ['+12025550102', '127.0.0.1', 'canary-agent']);
    const row = await stored(id);
    assert.match(row, /^[A-Za-z0-9+/]+=*$/);
    assert.doesNotMatch(Buffer.from(row, 'base64').toString('latin1'), /2025550102|127\.0\.0\.1|canary|good/);
  });

  it('of an earlier version is sealed by a migration, and its trail goes on to prove it', async () => {
    const id = await finish();
    const { text } = await told(id);
    await statement(service, 'update requests set result = ? where id = ?', text, id);
    await migrateAgain(service, (seal) => sealResults(makeSealedColumns(seal).results));
    assert.doesNotMatch(await stored(id), /2025550102/);
    assert.equal((await told(id)).text, text);
    assert.equal((await service.call('GET', `/requests/${id}/audit`)).json.intact, true);
  });

  it('that replaced another’s is not shown', async () => {
    const [one, other] = [await finish(), await finish()];
    await statement(service, 'update requests set result = ? where id = ?', await stored(one), other);
    assert.equal((await told(other)).status, 500);
    assert.equal((await service.call('GET', `/requests/${other}/audit`)).json.intact, false);
  });
});
