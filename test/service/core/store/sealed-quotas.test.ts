import assert from 'node:assert/strict';
import { hashNetworks, hashQuotas } from '../../../../src/service/core/store/migrations/0014-quota-digests.ts';
import { onEachDatabase } from '../../../support/each-database.ts';
import { migrateAgain } from '../../../support/migrate-again.ts';
import { newestCode, openPasskeyPage } from '../../../support/passkey-page.ts';
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

  it('is stored under a digest, which reveals neither', async () => {
    await sendAndGuess();
    const stored = await keys();
    for (const name of ['messages', 'messages-of-account', 'messages-in-all', 'guesses', 'guesses-in-an-hour', 'guesses-of-all'])
      assert.ok(
        stored.some((key) => key.startsWith(`${name} `)),
        `${name} among ${stored.join(', ')}`,
      );
    for (const key of stored) assert.doesNotMatch(key, /2025550102|@|tanaka/i);
  });

  /** Guesses at the code that proves a phone for a passkey: they are also counted for the network they come from. */
  const guessOnPage = async () => {
    await service.call('POST', '/passkeys/send', { body: sendBody('passkeys') });
    const page = openPasskeyPage(service, (await service.outbox())[0]?.link ?? '');
    assert.equal((await page.post({ decision: 'code' })).status, 200);
    await page.post({ decision: 'verify', code: (await newestCode(service)) === '000000' ? '000001' : '000000' });
  };
  const ofNetworks = async () => (await keys()).filter((key) => / net:/.test(key));

  it('names no network either', async () => {
    await guessOnPage();
    const stored = await ofNetworks();
    assert.equal(stored.length, 2);
    for (const key of stored) assert.match(key, / net:[\w-]{43}$/);
  });

  it('of a network of an earlier version is put under a digest by a migration', async () => {
    await guessOnPage();
    const before = await statement(service, 'select * from quotas order by key');
    for (const key of await ofNetworks())
      await statement(service, 'update quotas set key = ? where key = ?', key.replace(/net:.*/, 'net:127.0.0.1'), key);
    assert.equal((await keys()).filter((key) => key.endsWith(' net:127.0.0.1')).length, 2);
    await migrateAgain(service, hashNetworks);
    assert.deepEqual(await statement(service, 'select * from quotas order by key'), before);
  });

  it('of an earlier version gets one from a migration, and its count goes on', async () => {
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
