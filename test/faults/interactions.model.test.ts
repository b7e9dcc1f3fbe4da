import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { openStorage } from '../../src/storage/index.ts';
import { commands, type Real } from './interaction-model.ts';
import { seedOfRun } from './random.ts';

describe('interactions on a real database, against their model', function () {
  this.timeout(60_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-model-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('enter only states that are allowed, in any order of events and restarts', async () => {
    const seed = seedOfRun();
    console.log(`      seed ${seed}`);
    let round = 0;
    const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 60 }), async (sequence) => {
      round += 1;
      const dataDir = join(folder, String(round));
      const real: Real = {
        storage: await openStorage(dataDir),
        reopen: async () => {
          await real.storage.close();
          real.storage = await openStorage(dataDir);
        },
      };
      try {
        await fc.asyncModelRun(() => ({ model: new Map(), real }), sequence);
      } finally {
        await real.storage.close();
      }
    });
    await fc.assert(property, { seed, numRuns: 60 });
  });
});
