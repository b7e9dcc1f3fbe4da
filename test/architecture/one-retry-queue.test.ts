import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** The files under src that contain it. */
const filesWith = (pattern: RegExp) => globSync('{src,dialogs,cards}/**/*.ts').filter((file) => pattern.test(readFileSync(file, 'utf8')));

describe('due rows', () => {
  it('are claimed in one place, and worked on by one queue', () => {
    assert.deepEqual(filesWith(/\bskipLocked\(|SKIP LOCKED/i), ['src/platform/claim-rows.ts']);
    assert.deepEqual(filesWith(/\bmakeScheduler\(/), ['src/platform/retry-queue.ts']);
  });
});
