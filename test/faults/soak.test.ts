import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const soak = (minutes: string) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'test/faults/soak.ts', `--minutes=${minutes}`], { cwd: root });

describe('the soak', () => {
  it('refuses an invalid duration', async () => {
    await assert.rejects(soak('0'), { code: 64, stderr: /--minutes: must be a number above 0/ });
  });
});
