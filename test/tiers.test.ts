import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, onBothDatabases, root, testFiles, tierOf, tiers, withFurtherCases } from './tiers.ts';

const names = Object.values(tiers).flat();

describe('the tiers of the tests', () => {
  it('contain every file, each in one tier', () => {
    assert.deepEqual(
      testFiles().filter((file) => tierOf(file) === undefined),
      [],
    );
    const held = [...filesOf('fast'), ...filesOf('default'), ...filesOf('deep')];
    assert.deepEqual(held.sort(), testFiles());
  });

  it('name nothing twice, and nothing that does not exist', () => {
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      names.filter((name) => !existsSync(join(root, 'test', name))),
      [],
    );
  });

  it('prefer the name of a file to that of its folder', () => {
    assert.equal(tierOf('client/fate.test.ts'), 'fast');
    assert.equal(tierOf('packages/installs.test.ts'), 'deep');
    assert.equal(tierOf('nowhere/any.test.ts'), undefined);
  });

  it('leave further cases of these files to the deep tests', () => {
    const files = withFurtherCases();
    for (const file of ['web/thumbs.test.ts', 'apps/payments.test.ts', 'browser/payments.test.ts']) assert.ok(files.includes(file), file);
    // Their pass has Postgres too, which some tests of the service do without.
    const bothTitles = files.filter((file) => file.startsWith('service/') && !onBothDatabases().includes(file));
    assert.deepEqual(bothTitles, []);
  });

  it('run the service on Postgres with the deep tests', () => {
    assert.ok(onBothDatabases().includes('service/passkeys/passkeys.test.ts'));
    assert.ok(onBothDatabases().every((file) => tierOf(file) === 'default'));
  });
});
