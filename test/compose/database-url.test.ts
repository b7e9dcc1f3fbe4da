import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../src/compose/start/settings.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';

describe('the setting DATABASE_URL', () => {
  for (const url of ['postgres://user:pass@db.example.com:5432/bot', 'postgresql://db/bot?sslmode=verify-full']) {
    it(`may be ${url}`, () => assert.equal(readSettings({ DATABASE_URL: url }).DATABASE_URL, url));
  }
  for (const url of ['mysql://user:canary@db/bot', 'bot.db', 'postgres']) {
    it(`may not be ${url}, which is not repeated`, () => {
      assert.throws(
        () => readSettings({ DATABASE_URL: url }),
        (fault) =>
          fault instanceof SettingsError &&
          /^DATABASE_URL: must be an address such as postgres:/.test(fault.message) &&
          !/canary/.test(fault.message),
      );
    });
  }
  it('may be left out', () => assert.equal(readSettings({ DATABASE_URL: '' }).DATABASE_URL, undefined));

  it('ends the process with 75 and one sentence when nobody answers there, so that it is started again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/main.ts', 'bot'], {
      env: { ...process.env, PORT: '0', DATA_DIR: folder, DATABASE_URL: 'postgres://user:canary@127.0.0.1:1/bot' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, 'close');
    rmSync(folder, { recursive: true });
    assert.deepEqual([code, said], [75, 'DATABASE_URL: the Postgres at 127.0.0.1:1 cannot be reached (ECONNREFUSED).\n']);
  });
});
