import assert from 'node:assert/strict';
import { makeOutcomeHooks } from '../../src/programs/outcome-hooks.ts';
import type { Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';

for (const backend of backends) {
  describe(`an outcome for programs, on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());
    const hook = (id: string, program = 'key') => ({ id, program, url: `https://flows.example.com/${id}` });

    it('is posted once to every address of the program, and to no other', async () => {
      const outcomeHooks = storage.of(makeOutcomeHooks);
      for (const one of [hook('a'), hook('b'), hook('c', 'another')]) assert.equal(await outcomeHooks.add(one, 9), true);
      await Promise.all(Array.from({ length: 5 }, () => outcomeHooks.note('key', 'it')));
      const deliveries = await outcomeHooks.claim(60_000, 9);
      assert.deepEqual(deliveries.map(({ attempts, hook: to, subject }) => [to, subject, attempts]).toSorted(), [
        [hook('a'), 'it', 0],
        [hook('b'), 'it', 0],
      ]);
      for (const delivery of deliveries) await outcomeHooks.settle(delivery, { done: true });
      assert.equal(await outcomeHooks.next(), undefined);
      // What changes once more is told once more.
      await outcomeHooks.note('key', 'it');
      assert.equal((await outcomeHooks.claim(60_000, 9)).length, 2);
    });

    it('is claimed by one process until its next try', async () => {
      const { clock } = storage;
      const outcomeHooks = storage.of(makeOutcomeHooks);
      await outcomeHooks.add(hook('a'), 9);
      await outcomeHooks.note('key', 'it');
      const claims = await Promise.all(Array.from({ length: 4 }, () => outcomeHooks.claim(60_000, 9)));
      const [delivery, ...others] = claims.flat();
      assert.ok(delivery && others.length === 0);
      await outcomeHooks.settle(delivery, { again: 90_000, attempts: 1 });
      const next = (await outcomeHooks.next()) ?? 0;
      assert.ok(Math.abs(next - clock.now() - 90_000) < 5_000, String(next));
      // The claim is lost, so nothing changes.
      await outcomeHooks.settle(delivery, { done: true });
      assert.equal(await outcomeHooks.next(), next);
    });

    it('counts its attempts, and is deleted once it is given up', async () => {
      const outcomeHooks = storage.of(makeOutcomeHooks);
      await outcomeHooks.add(hook('a'), 9);
      await outcomeHooks.note('key', 'it');
      const claimed = async () => (await outcomeHooks.claim(60_000, 9))[0] ?? assert.fail('it is due');
      await outcomeHooks.settle(await claimed(), { again: 0, attempts: 1 });
      const second = await claimed();
      assert.equal(second.attempts, 1);
      await outcomeHooks.settle(second, { givenUp: 'http_500', attempts: 2 });
      assert.equal(await outcomeHooks.next(), undefined);
    });

    it('is no longer posted once the program removes its address, which no other program can do', async () => {
      const outcomeHooks = storage.of(makeOutcomeHooks);
      await outcomeHooks.add(hook('a'), 9);
      await outcomeHooks.note('key', 'it');
      assert.equal(await outcomeHooks.remove('a', 'another'), false);
      assert.equal(await outcomeHooks.remove('a', 'key'), true);
      assert.equal(await outcomeHooks.remove('a', 'key'), false);
      assert.equal(await outcomeHooks.next(), undefined);
    });

    it('has a limited number of addresses', async () => {
      const outcomeHooks = storage.of(makeOutcomeHooks);
      assert.deepEqual(
        [await outcomeHooks.add(hook('a'), 2), await outcomeHooks.add(hook('b'), 2), await outcomeHooks.add(hook('c'), 2)],
        [true, true, false],
      );
      assert.equal(await outcomeHooks.add(hook('d', 'another'), 2), true);
    });
  });
}
