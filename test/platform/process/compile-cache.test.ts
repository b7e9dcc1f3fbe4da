import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledFolder } from '../../../src/platform/process/compile-cache.ts';

describe('compiled code', function () {
  if (process.getuid === undefined) this.pending = true;
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-compiled-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
  const place = () => compiledFolder(dataDir);

  it('is cached where only this user can write, and reused', () => {
    const folder = place() ?? '';
    assert.equal(folder, compiled());
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    writeFileSync(join(folder, 'one'), 'compiled');
    assert.equal(place(), folder);
    assert.deepEqual(readdirSync(folder), ['one']);
  });

  const compiled = () => join(dataDir, 'compiled');
  for (const [what, make] of [
    ['there is no DATA_DIR yet', () => rmSync(dataDir, { recursive: true })],
    ['a group may write to DATA_DIR', () => chmodSync(dataDir, 0o770)],
    ['others may write to DATA_DIR', () => chmodSync(dataDir, 0o702)],
    [
      'others may write to the folder in it',
      () => {
        mkdirSync(compiled());
        chmodSync(compiled(), 0o777);
      },
    ],
    ['the folder in it leads elsewhere', () => symlinkSync(tmpdir(), compiled())],
  ] as const) {
    it(`is not cached where ${what}`, () => {
      make();
      assert.equal(place(), undefined);
    });
  }

  it('is not cached in a folder of another user', () => {
    assert.equal(compiledFolder(dataDir, 12345), undefined);
    assert.deepEqual(readdirSync(dataDir), []);
  });
});
