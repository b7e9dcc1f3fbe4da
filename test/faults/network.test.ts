import assert from 'node:assert/strict';
import { assertClean } from './assert-clean.ts';
import { backends } from './backends.ts';
import { seedOfRun } from './random.ts';
import { run } from './run.ts';

for (const backend of backends) {
  describe(`a bad network between customers, bot and service, on ${backend.name}`, function () {
    this.timeout(900_000);

    it(`costs time and nothing else, over ${backend.networkFaults} faults and a few deaths`, async () => {
      const { networkFaults } = backend;
      const result = await run({ backend, seed: seedOfRun(), kills: 5, networkFaults, badness: 0.4 });
      assertClean(result);
      assert.ok(result.networkFaults >= networkFaults);
    });
  });
}
