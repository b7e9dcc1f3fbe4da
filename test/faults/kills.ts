// A bot that is killed again and again while customers chat with it, and what must be true afterwards.
import assert from 'node:assert/strict';
import { assertClean } from './assert-clean.ts';
import type { FaultBackend } from './backends.ts';
import { points } from './points.ts';
import { seedOfRun } from './random.ts';
import { run } from './run.ts';

/** Kills the bot as often as the backend says. A file for each backend, so that they share the processors. */
export const describeKills = (backend: FaultBackend) => {
  describe(`a bot that is killed, on ${backend.name}`, function () {
    this.timeout(900_000);

    it(`loses nothing, doubles nothing and invents nothing over ${backend.kills} deaths`, async () => {
      const result = await run({ backend, seed: seedOfRun(), kills: backend.kills });
      assertClean(result);
      assert.equal(result.kills, backend.kills);
      // Whether the rarest few were reached is a matter of chance.
      const expected = Math.min(points.length - 6, backend.kills / 2.5);
      assert.ok(result.reached.size > expected, `only ${result.reached.size} points were reached`);
    });
  });
};
