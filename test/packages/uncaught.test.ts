// What a fault that nobody caught prints, where a library is used as it is shipped.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from '../../.build/bundle.ts';

describe('a fault that a program of ours or of others did not catch', function () {
  this.timeout(60_000);

  it('prints a few lines, not the source that it was thrown from', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-uncaught-'));
    try {
      await bundle({ entries: { client: 'src/client/index.ts' }, folder, external: [] });
      const library = pathToFileURL(join(folder, 'client.js')).href;
      const program = `import { createServiceClient } from '${library}'; createServiceClient({ baseUrl: 'x', secretKey: '' });`;
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
      assert.equal(status, 1);
      assert.match(stderr, /SettingsError/);
      assert.ok(stderr.length < 3000, `${stderr.length} characters`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
