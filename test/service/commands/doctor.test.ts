import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examine } from '../../../src/service/commands/doctor.ts';

describe('the doctor of the service', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const ask = async (environment: Record<string, string>) => {
    const lines: string[] = [];
    const code = await examine({ DATA_DIR: folder, ...environment }, (line) => lines.push(line));
    return { code, text: lines.join('\n') };
  };

  it('finds that everything is there', async () => {
    const { code, text } = await ask({});
    assert.deepEqual([code, text], [0, 'ok       settings      all are valid.\nok       data folder   writable.']);
  });

  it('explains wrong settings, a database that is away, and a variable that is nearly a setting', async () => {
    const wrong = await ask({ SERVICE_PORT: 'x', SERVICE_PAYMENT_GATEWAY: 'cash' });
    assert.equal(wrong.code, 78);
    assert.match(wrong.text, /SERVICE_PORT: must be a port number.*\n.*SERVICE_PAYMENT_GATEWAY: must be sandbox/);
    const away = await ask({
      SERVICE_DATABASE_URL: 'postgres://user:canary@127.0.0.1:9/service',
      ...{ SERVICE_SECRET_KEY: 'k', SERVICE_PEPPER: 'p'.repeat(32), SERVICE_PUBLIC_URL: 'http://localhost:1' },
      ...{ SERVICE_SIGNING_KEY: 'key.pem', SERVICE_SIGNING_CERTIFICATE: 'certificate.pem', SERVICE_PEPER: 'x' },
    });
    assert.equal(away.code, 1, away.text);
    assert.match(away.text, /wrong {4}database {6}SERVICE_DATABASE_URL: the Postgres at 127\.0\.0\.1:9 cannot be reached/);
    assert.match(away.text, /warning {2}settings {6}SERVICE_PEPER is no setting: did you mean SERVICE_PEPPER\?/);
    assert.doesNotMatch(away.text, /canary/);
  });

  it('explains a folder that cannot be used', async () => {
    const { code, text } = await ask({ DATA_DIR: '/proc/version' });
    assert.equal(code, 1);
    assert.match(text, /DATA_DIR: \/proc\/version is not a folder/);
  });
});
