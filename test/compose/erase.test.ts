import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { eraseCustomer } from '../../src/compose/erase.ts';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings-error.ts';
import { openStorage } from '../../src/storage/index.ts';
import { intent } from '../support/samples.ts';

describe('the command that erases a customer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    const storage = await openStorage(folder);
    await storage.interactions.record(intent('a', { customerRef: 'customer-0001', conversation: '["c","1"]' }));
    await storage.close();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs it with what is typed in, and tells what it said. */
  const run = async (args: string[], typed?: string) => {
    const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
    input.end(typed);
    let said = '';
    output.on('data', (chunk) => {
      said += chunk;
    });
    const gone = await eraseCustomer({
      args,
      settings: { DATA_DIR: folder, DATABASE_URL: undefined },
      log: makeLog('silent'),
      input,
      output,
    });
    return { gone, said };
  };
  const left = async () => {
    const storage = await openStorage(folder);
    const found = await storage.interactions.get('a');
    await storage.close();
    return found !== undefined;
  };

  it('says what there is, asks, and says what went', async () => {
    const { gone, said } = await run(['customer-0001'], 'customer-0001\n');
    assert.ok(gone);
    assert.match(
      said,
      /has about customer-0001:\n {2}interaction {3}1\n[\s\S]*1 are not over[\s\S]*cannot be undone[\s\S]*Removed:\n {2}interaction {3}1\n/,
    );
    assert.equal(await left(), false);
  });

  for (const [what, typed] of [
    ['something else is typed', 'yes\n'],
    ['nothing is typed', ''],
  ] as const) {
    it(`removes nothing when ${what}`, async () => {
      const { gone, said } = await run(['customer-0001'], typed);
      assert.equal(gone, false);
      assert.match(said, /Nothing was removed\.\n$/);
      assert.ok(await left());
    });
  }

  it('does not ask with --yes', async () => {
    assert.ok((await run(['customer-0001', '--yes'])).gone);
    assert.equal(await left(), false);
  });

  it('says so where there is nothing', async () => {
    assert.match((await run(['customer-0002'])).said, /has nothing about customer-0002/);
  });

  it('wants to know whom', async () => {
    for (const args of [[], ['--yes'], ['a', 'b'], ['a', '--yes', '--yes']]) await assert.rejects(run(args), SettingsError);
  });
});
