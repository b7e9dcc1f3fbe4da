import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { makeLog } from '../../src/platform/log.ts';
import { optionsOf, readServiceSettings, startService } from '../../src/service/index.ts';
import { sharedOptions } from '../support/each-database.ts';

describe('the setting SERVICE_DATABASE_URL', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('runs the service on Postgres, with the configured secrets and no generated ones', async () => {
    const { databaseUrl, secretKey, pepper, signing, accountKeyFile } = await sharedOptions(folder);
    const settings = readServiceSettings({
      DATA_DIR: join(folder, 'own'),
      SERVICE_PORT: '0',
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_PUBLIC_URL: 'https://verify.example.com',
      SERVICE_SECRET_KEY: secretKey,
      SERVICE_PEPPER: pepper,
      SERVICE_SIGNING_KEY: signing?.keyFile,
      SERVICE_SIGNING_CERTIFICATE: signing?.certificateFile,
      SERVICE_ACCOUNT_KEY: accountKeyFile,
    });
    const service = await startService(optionsOf(settings, makeLog('silent')));
    try {
      assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
      const headers = { authorization: `Bearer ${secretKey}` };
      assert.equal((await fetch(`${service.baseUrl}/passkeys/bootstrap`, { headers })).status, 200);
      assert.deepEqual(existsSync(join(folder, 'own')) ? readdirSync(join(folder, 'own')) : [], []);
    } finally {
      await service.close();
    }
  });
});
