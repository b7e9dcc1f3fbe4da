import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../tiers.ts';

describe('a program whose reader has read enough', () => {
  it('ends without a fault: doctor | head -1', function () {
    this.timeout(60_000);
    const folder = mkdtempSync(join(tmpdir(), 'pipe-'));
    try {
      const { stderr, stdout } = spawnSync('sh', ['-c', '"$NODE" --disable-warning=ExperimentalWarning src/main.ts doctor | head -1'], {
        ...{ cwd: root, encoding: 'utf8' },
        env: { ...process.env, NODE: process.execPath, DATA_DIR: folder, PORT: '0' },
      });
      assert.match(stdout, /^ok +settings/);
      assert.equal(stderr, '');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
