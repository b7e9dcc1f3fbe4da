import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { makeLog } from '../../../src/platform/log.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { eraseCustomer } from '../../../src/service/commands/erase.ts';
import { startTestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

const run = async (dataDir: string, args: readonly string[], typed = '') => {
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  input.end(typed);
  let said = '';
  output.on('data', (chunk) => {
    said += chunk;
  });
  const gone = await eraseCustomer(args, { DATA_DIR: dataDir }, { log: makeLog('silent'), input, output });
  return { gone, said };
};

describe("the service's own command that erases a customer", () => {
  it('lists the data, asks, removes it, and does not mention a bot', async () => {
    const service = await startTestService();
    try {
      const { json } = await service.call('POST', '/payments/send', { body: sendBody('payments') });
      await service.call('POST', `/requests/${json.requestId}/cancel`);
      await service.running.close();
      assert.equal((await run(service.dataDir, ['cust-0102-mei'], 'no\n')).gone, false);
      const { gone, said } = await run(service.dataDir, ['cust-0102-mei'], 'cust-0102-mei\n');
      assert.ok(gone);
      assert.match(
        said,
        /^The service's database has about cust-0102-mei:\n {2}requests {11}1\n[\s\S]*Removed from the service's database:/,
      );
      assert.doesNotMatch(said, /bot/);
      assert.match((await run(service.dataDir, ['cust-0102-mei'])).said, /has nothing about cust-0102-mei/);
    } finally {
      await service.close();
    }
  });

  it('creates neither a folder nor a database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    const nowhere = join(folder, 'nowhere');
    await assert.rejects(
      run(nowhere, ['cust-0102-mei', '--yes']),
      (fault) => fault instanceof SettingsError && /^DATA_DIR: there is no database in [^\n]+SERVICE_DATABASE_URL\.$/.test(fault.message),
    );
    assert.ok(!existsSync(nowhere));
    rmSync(folder, { recursive: true });
  });
});
