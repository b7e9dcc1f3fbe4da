import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commands, startChatting } from './conversation-model.ts';
import { seedOfRun } from './random.ts';

describe('random customers, a service with random faults, and a bot that is killed at random', function () {
  this.timeout(900_000);

  it('keep every invariant', async () => {
    const seed = seedOfRun();
    console.log(`      seed ${seed}`);
    const property = fc.asyncProperty(fc.commands(commands, { maxCommands: 25 }), async (sequence) => {
      const real = await startChatting();
      try {
        await fc.asyncModelRun(() => ({ model: {}, real }), sequence);
        assert.deepEqual(await real.finish(), []);
      } finally {
        await real.close();
      }
    });
    await fc.assert(property, { seed, numRuns: 25, interruptAfterTimeLimit: 600_000 });
  });
});
