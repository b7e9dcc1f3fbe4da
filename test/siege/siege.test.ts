import assert from 'node:assert/strict';
import { seedOfRun } from '../faults/random.ts';
import { besiege } from './siege.ts';

describe('thousands of hostile requests', function () {
  this.timeout(120_000);

  it('crash nothing, fill nothing, leave nothing behind, and each get a documented answer', async () => {
    const seed = seedOfRun();
    const report = await besiege({ requests: 4000, seed, mostMs: 60_000 });
    assert.deepEqual(report.violations, [], `SEED=${seed}`);
    assert.equal(report.sent, 4000);
    assert.ok(report.honest.rounds >= 10);
    assert.ok(Object.keys(report.byKind).length > 20, 'every kind came');
    assert.ok(Object.keys(report.byEnd).every((end) => /^(?:4\d\d|gone|cut|socket (?:10\d\d|44\d\d))$/.test(end)));
  });
});
