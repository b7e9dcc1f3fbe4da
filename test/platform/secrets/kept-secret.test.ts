import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keptSecret } from '../../../src/platform/secrets/kept-secret.ts';
import { SettingsError } from '../../../src/platform/settings/settings-error.ts';

describe('a stored secret', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made once, of 32 random bytes, for this user alone', () => {
    const secret = keptSecret(join(folder, 'new'), 'a.key');
    assert.equal(Buffer.from(secret, 'base64url').length, 32);
    assert.equal(statSync(join(folder, 'new', 'a.key')).mode & 0o777, 0o600);
    assert.equal(keptSecret(join(folder, 'new'), 'a.key'), secret);
    assert.notEqual(keptSecret(join(folder, 'new'), 'b.key'), secret);
    assert.deepEqual(readdirSync(join(folder, 'new')), ['a.key', 'b.key']);
  });

  it('is closed to other users if it was open to them', () => {
    const secret = keptSecret(folder, 'a.key');
    chmodSync(join(folder, 'a.key'), 0o644);
    assert.equal(keptSecret(folder, 'a.key'), secret);
    assert.equal(statSync(join(folder, 'a.key')).mode & 0o777, 0o600);
  });

  it('is refused if the file holds something else', () => {
    writeFileSync(join(folder, 'a.key'), 'short');
    assert.throws(
      () => keptSecret(folder, 'a.key'),
      (fault) => fault instanceof SettingsError && /a\.key does not hold a secret/.test(fault.message),
    );
  });

  it('is refused if the folder cannot exist', () => {
    writeFileSync(join(folder, 'file'), '');
    assert.throws(
      () => keptSecret(join(folder, 'file'), 'a.key'),
      (fault) => fault instanceof SettingsError && /^DATA_DIR: .* cannot be read or written/.test(fault.message),
    );
  });
});
