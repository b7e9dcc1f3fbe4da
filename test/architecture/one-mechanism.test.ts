import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** The files of the program that contain it. */
const filesWith = (pattern: RegExp) => globSync('{src,dialogs,cards}/**/*.ts').filter((file) => pattern.test(readFileSync(file, 'utf8')));

describe('there is one mechanism for', () => {
  it('rows that are due: one claim, and one queue', () => {
    assert.deepEqual(filesWith(/\bskipLocked\(|SKIP LOCKED/i), ['src/platform/database/claim-rows.ts']);
    assert.deepEqual(filesWith(/\bmakeScheduler\(/), ['src/platform/retry-queue.ts']);
  });

  it('limits that a process counts', () => {
    assert.deepEqual(filesWith(/from 'rate-limiter-flexible'/), ['src/platform/limits.ts']);
  });
});
