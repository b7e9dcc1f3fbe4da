import assert from 'node:assert/strict';
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
      const { outcomeHooks } = storage;
      for (const one of [hook('a'), hook('b'), hook('c', 'another')]) assert.equal(await outcomeHooks.add(one, 9), true);
      await Promise.all(Array.from({ length: 5 }, () => outcomeHooks.note('key', 'it')));
      const letters = await outcomeHooks.claim(60_000, 9);
      assert.deepEqual(letters.map((letter) => [letter.hook, letter.subject, letter.attempts]).toSorted(), [
        [hook('a'), 'it', 0],
        [hook('b'), 'it', 0],
      ]);
      for (const letter of letters) await outcomeHooks.settle(letter);
      assert.equal(await outcomeHooks.next(), undefined);
      // What changes once more is told once more.
      await outcomeHooks.note('key', 'it');
      assert.equal((await outcomeHooks.claim(60_000, 9)).length, 2);
    });

    it('is claimed by one process until its next try', async () => {
      const { clock, outcomeHooks } = storage;
      await outcomeHooks.add(hook('a'), 9);
      await outcomeHooks.note('key', 'it');
      const claims = await Promise.all(Array.from({ length: 4 }, () => outcomeHooks.claim(60_000, 9)));
      const [letter, ...others] = claims.flat();
      assert.ok(letter && others.length === 0);
      await outcomeHooks.settle(letter, { again: 90_000 });
      const next = (await outcomeHooks.next()) ?? 0;
      assert.ok(Math.abs(next - clock.now() - 90_000) < 5_000, String(next));
      // The claim is lost, so nothing changes.
      await outcomeHooks.settle(letter);
      assert.equal(await outcomeHooks.next(), next);
    });

    it('counts its tries, but none that was given back', async () => {
      const { outcomeHooks } = storage;
      await outcomeHooks.add(hook('a'), 9);
      await outcomeHooks.note('key', 'it');
      const tried = async () => (await outcomeHooks.claim(60_000, 9))[0] ?? assert.fail('it is due');
      await outcomeHooks.settle(await tried(), { again: 0 });
      await outcomeHooks.settle(await tried(), { givenBack: true });
      await outcomeHooks.settle(await tried(), { again: 0 });
      assert.equal((await tried()).attempts, 2);
    });

    it('is no longer posted once the program removes its address, which no other program can do', async () => {
      const { outcomeHooks } = storage;
      await outcomeHooks.add(hook('a'), 9);
      await outcomeHooks.note('key', 'it');
      assert.equal(await outcomeHooks.remove('a', 'another'), false);
      assert.equal(await outcomeHooks.remove('a', 'key'), true);
      assert.equal(await outcomeHooks.remove('a', 'key'), false);
      assert.equal(await outcomeHooks.next(), undefined);
    });

    it('has a limited number of addresses', async () => {
      const { outcomeHooks } = storage;
      assert.deepEqual(
        [await outcomeHooks.add(hook('a'), 2), await outcomeHooks.add(hook('b'), 2), await outcomeHooks.add(hook('c'), 2)],
        [true, true, false],
      );
      assert.equal(await outcomeHooks.add(hook('d', 'another'), 2), true);
    });
  });
}
