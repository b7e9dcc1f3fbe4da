import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const soak = (minutes: string) =>
  run(process.execPath, ['--disable-warning=ExperimentalWarning', 'test/faults/soak.ts', `--minutes=${minutes}`], { cwd: root });

describe('the soak', function () {
  this.timeout(120_000);

  it('ends when its time is up, with a line for each run and a seed to repeat it by', async () => {
    const { stdout } = await soak('0.05');
    assert.match(stdout, /^SQLite: seed \d+: \d+ kills .* 0 violations$/m);
  });

  for (const minutes of ['0', '-1', 'soon']) {
    it(`does not begin with ${minutes} minutes`, async () => {
      await assert.rejects(soak(minutes), { code: 64, stderr: /--minutes: must be a number above 0/ });
    });
  }
});
