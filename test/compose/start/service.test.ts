import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle, serviceBeside } from '../../../.build/bundle.ts';

describe('the reference service of an install', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-install-'));
  after(() => rmSync(folder, { recursive: true }));

  /** Looks for it in an install of its own, with this in the place of the package. */
  const find = async (place: string, source?: string): Promise<unknown> => {
    const [install, modules] = [join(folder, place), join(folder, place, 'node_modules/countersign-service')];
    mkdirSync(modules, { recursive: true });
    if (source === undefined) rmSync(modules, { recursive: true });
    else {
      writeFileSync(join(modules, 'package.json'), JSON.stringify({ name: 'countersign-service', type: 'module', exports: './index.js' }));
      writeFileSync(join(modules, 'index.js'), source);
    }
    writeFileSync(join(install, 'package.json'), JSON.stringify({ type: 'module' }));
    await bundle({ entries: { found: 'src/compose/installed-service.ts' }, folder: install, external: [], plugins: [serviceBeside] });
    const { findService } = await import(pathToFileURL(join(install, 'found.js')).href);
    return findService();
  };

  it('is found', async () => assert.ok(await find('whole', 'export const startService = () => {};')));
  it('is missing', async () => assert.equal(await find('without'), undefined));
  it('is reported as broken if a dependency is missing', async () => {
    await assert.rejects(find('broken', "import 'countersign-needs-this';"), /countersign-needs-this/);
  });
});
