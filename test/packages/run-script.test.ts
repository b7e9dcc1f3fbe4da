import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyIn } from '../../.build/run-script.ts';
import { keepStarted } from '../../src/platform/process/compile-cache.ts';

describe('the compiled code of a script', () => {
  let folder = '';
  let sources = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-script-'));
    sources = mkdtempSync(join(tmpdir(), 'countersign-script-'));
    file = join(sources, 'sum.cjs');
    writeFileSync(file, '(function (one) { const sum = (other) => one + other; return sum(1); })');
  });
  afterEach(() => {
    for (const one of [folder, sources]) rmSync(one, { recursive: true, force: true });
  });

  const result = (value: number) => (bodyIn(file, folder) as unknown as (value: number) => number)(value);
  const kept = () => readdirSync(folder);
  const contents = () => kept().map((name) => readFileSync(join(folder, name), 'base64'));

  it('is kept once the program has started, and used from then on', () => {
    assert.equal(result(1), 2);
    assert.deepEqual(kept(), []);
    keepStarted();
    assert.equal(kept().length, 1);
    const before = contents();
    assert.equal(result(2), 3);
    keepStarted();
    assert.deepEqual(contents(), before);
  });

  for (const [what, damage] of [
    ['a byte is another', (code: Buffer) => code.fill(code.readUInt8(code.length >> 1) ^ 1, code.length >> 1, (code.length >> 1) + 1)],
    ['the end is missing', (code: Buffer) => code.subarray(0, code.length >> 1)],
    ['nothing is left', (code: Buffer) => code.subarray(0, 0)],
  ] as const) {
    it(`is compiled anew where ${what}`, () => {
      result(1);
      keepStarted();
      const [name = ''] = kept();
      const good = readFileSync(join(folder, name));
      const bad = Buffer.from(damage(Buffer.from(good)));
      writeFileSync(join(folder, name), bad);
      assert.equal(result(2), 3);
      keepStarted();
      assert.notDeepEqual(readFileSync(join(folder, name)), bad);
    });
  }

  it('is not used for another text of the same length', () => {
    result(1);
    keepStarted();
    writeFileSync(file, readFileSync(file, 'utf8').replace('one + other', 'one - other'));
    assert.equal(result(1), 0);
  });

  it('is done without where it cannot be kept', () => {
    assert.equal((bodyIn(file, join(folder, 'missing')) as unknown as (value: number) => number)(1), 2);
    keepStarted();
    assert.deepEqual(kept(), []);
  });
});
