import assert from 'node:assert/strict';
import { hashQuotas } from '../../../../src/service/core/store/migrations/0014-quota-digests.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { migrateAgain } from '../../../support/migrate-again.ts';
import type { TestService } from '../../../support/running-service.ts';
import { sendBody } from '../../../support/sends.ts';
import { statement } from '../../../support/service-database.ts';
import { sealOf } from '../../../support/service-seal.ts';

onEachDatabase('what is counted for a phone or a mailbox', (startTestService) => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService();
  });
  afterEach(() => service.close());

  const keys = async () => (await statement(service, 'select key from quotas order by key')).map(({ key }) => String(key));
  const guess = async (requestId: string) => service.call('POST', '/one-time-passcode/check', { body: { requestId, code: '000000' } });
  const sendAndGuess = async () => {
    const { json } = await service.call('POST', '/one-time-passcode/send', { body: sendBody('one-time-passcode') });
    await service.call('POST', '/passkeys/send', { body: sendBody('passkeys') });
    await guess(json.requestId);
    return json.requestId as string;
  };

  it('is stored under a digest, which tells neither', async () => {
    await sendAndGuess();
    const stored = await keys();
    for (const name of ['messages', 'messages-of-account', 'messages-in-all', 'guesses', 'guesses-in-an-hour', 'guesses-of-all'])
      assert.ok(
        stored.some((key) => key.startsWith(`${name} `)),
        `${name} among ${stored.join(', ')}`,
      );
    for (const key of stored) assert.doesNotMatch(key, /2025550102|@|tanaka/i);
  });

  it('of an earlier version is put under one by a migration, and goes on being counted', async () => {
    const id = await sendAndGuess();
    // No earlier version counted by the day.
    await statement(service, "delete from quotas where key like '%-daily %'");
    const before = await statement(service, 'select * from quotas order by key');
    const { hashAddress } = sealOf(service);
    const plain = new Map(
      ['brightwater', ''].flatMap((account) =>
        ['+12025550102', 'mei.tanaka@example.com'].map((address) => [hashAddress(account, address), address] as const),
      ),
    );
    for (const { key } of before) {
      const clear = String(key).replace(/[\w-]{43}/g, (digest) => plain.get(digest) ?? digest);
      await statement(service, 'update quotas set key = ? where key = ?', clear, String(key));
    }
    assert.ok((await keys()).filter((key) => /2025550102|@/.test(key)).length > 5);
    await migrateAgain(service, hashQuotas);
    assert.deepEqual(await statement(service, 'select * from quotas order by key'), before);
    await guess(id);
    const taken = async () =>
      (await statement(service, "select taken from quotas where key like 'guesses-of-all %'")).map((row) => Number(row.taken));
    assert.deepEqual(await taken(), [2]);
  });
});
