import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CompactEncrypt } from 'jose';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';
import { decrypt } from '../../../src/service/commands/decrypt.ts';
import { startTestService, type TestService } from '../../support/running-service.ts';
import { sendBody } from '../../support/sends.ts';

const formId = '6f1c0000-0000-4000-8000-000000000002';

describe('npm run decrypt', () => {
  let service: TestService;
  let requestId: string;
  before(async () => {
    service = await startTestService();
    const { json } = await service.call('POST', '/e-form/send', { body: { ...sendBody('e-form'), formId } });
    requestId = json.requestId;
    const key = JSON.parse(readFileSync(join(service.dataDir, 'account.public.jwk'), 'utf8'));
    const answers = [{ type: 'text', key: 'fullName', value: 'Mei Tanaka' }];
    const sealed = await new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ requestId, formId, answers })))
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM', kid: key.kid })
      .encrypt(key);
    const body = new URLSearchParams({ decision: 'accept', answers: sealed });
    assert.equal((await service.open('POST', (await service.outbox())[0]?.link ?? '', { body })).status, 200);
  });
  after(() => service.close());

  const environment = () => ({ DATA_DIR: service.dataDir, SERVICE_PORT: String(service.running.port) });
  const run = (...words: string[]) => decrypt(words, environment());

  it('opens the answers of a request by its id, and of a file', async () => {
    const byId = JSON.parse(await run(requestId));
    assert.deepEqual(byId, { requestId, formId, answers: [{ type: 'text', key: 'fullName', value: 'Mei Tanaka' }] });
    const file = join(service.dataDir, 'result.json');
    writeFileSync(file, JSON.stringify((await service.call('GET', `/results/${requestId}`)).json));
    assert.deepEqual(JSON.parse(await run(file, join(service.dataDir, 'account.private.jwk'))), byId);
  });

  it('prints them, from the command line', async function () {
    this.timeout(30_000);
    const env = { ...process.env, ...environment() };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'src/service/main.ts', 'decrypt', requestId],
      {
        env,
        cwd: join(import.meta.dirname, '../../..'),
      },
    );
    assert.match(stdout, /"value": "Mei Tanaka"/);
  });

  const wrong: [string, () => string[], RegExp][] = [
    ['nothing to decrypt', () => [], /Say what to decrypt/],
    ['too much', () => ['a', 'b', 'c'], /Say what to decrypt/],
    ['what is neither a file nor an id', () => ['nowhere.json'], /neither a file nor a request id/],
    ['a request without a result', () => ['01ARZ3NDEKTSV4RRFFQ69G5FAV'], /no result/],
    ['a key file that is not there', () => [requestId, join(service.dataDir, 'missing.jwk')], /missing\.jwk cannot be read/],
    ['the wrong half of the key', () => [requestId, join(service.dataDir, 'account.public.jwk')], /cannot decrypt/],
  ];
  for (const [what, words, said] of wrong) {
    it(`says in words what is wrong with ${what}`, async () => {
      await assert.rejects(run(...words()), (fault) => fault instanceof SettingsError && said.test(fault.message));
    });
  }
});
