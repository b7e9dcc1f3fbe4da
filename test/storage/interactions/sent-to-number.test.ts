import assert from 'node:assert/strict';
import type { Intent, Transition } from '../../../src/interactions/interaction.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { accepted, failed, intent, succeeded } from '../../support/samples.ts';

const number = '+12025550101';

for (const backend of backends) {
  describe(`what was sent to a number that anybody can type, on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());

    const add = async (id: string, transitions: readonly Transition[], more: Partial<Intent> = {}) => {
      const recorded = await storage.interactions.record(intent(id, { blindLookup: true, createdAt: 1_000, ...more }));
      for (const transition of transitions) assert.ok(await storage.interactions.apply(recorded, transition));
    };
    const refused = (refusal: string): Transition => ({ kind: 'refused', refusal });

    it('counts since an instant, up to a limit, without what was not sent', async () => {
      await add('intended', []);
      await add('waiting', [accepted]);
      await add('unknown', [{ kind: 'lost' }]);
      await add('busy', [refused('busy')]);
      for (const refusal of ['nobody', 'crowded']) await add(refusal, [refused(refusal)]);
      const { blindLookup: _, ...seen } = intent('seen', { createdAt: 1_000 });
      await storage.interactions.record(seen);
      await add('other', [accepted], { phoneNumber: '+12025550102' });
      const count = (after: number, limit: number) => storage.interactions.sentTo(number, after, limit);
      assert.deepEqual([await count(999, 9), await count(999, 3), await count(1_000, 9)], [4, 3, 0]);
    });

    it('has succeeded for a customer, in a chat or in another', async () => {
      const found = (conversation: string, customerRef = 'c-1', after = 999) =>
        storage.interactions.succeededFor(number, customerRef, conversation, after);
      await add('a', [accepted, failed], { customerRef: 'c-1', conversation: 'one' });
      await add('b', [accepted], { customerRef: 'c-1', conversation: 'one' });
      assert.equal(await found('one'), undefined);
      await add('c', [accepted, succeeded], { customerRef: 'c-1', conversation: 'one' });
      await add('d', [accepted, succeeded], { customerRef: 'c-1', conversation: 'two' });
      assert.deepEqual([await found('one'), await found('three')], ['session', 'customer']);
      assert.deepEqual([await found('one', 'c-2'), await found('one', 'c-1', 1_000)], [undefined, undefined]);
    });
  });
}
