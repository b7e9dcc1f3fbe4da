import assert from 'node:assert/strict';
import { ConversationState, type Storage as SdkStorage, TestAdapter } from 'botbuilder';
import { makeSdkStorage } from '../../src/bot/sdk-storage.ts';
import { StateConflict } from '../../src/storage/bot-state.ts';
import type { Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';

for (const backend of backends) {
  describe(`the SDK's storage on ${backend.kind}`, () => {
    let storage: Storage;
    let sdk: SdkStorage;
    beforeEach(async () => {
      storage = await backend.open();
      sdk = makeSdkStorage(storage.botState);
    });
    afterEach(() => storage.close());

    it('knows nothing at first, and nothing of what was deleted', async () => {
      assert.deepEqual(await sdk.read(['a', 'b']), {});
      await sdk.write({ a: { count: 1 } });
      await sdk.delete(['a', 'b']);
      assert.deepEqual(await sdk.read(['a']), {});
    });

    it('answers items as they were written, each under an eTag that changes with it', async () => {
      await sdk.write({ a: { count: 1 }, b: { list: [1, { deep: null }] } });
      const { a: first, b } = await sdk.read(['a', 'b']);
      assert.deepEqual([first.count, b.list], [1, [1, { deep: null }]]);
      await sdk.write({ a: { ...first, count: 2 } });
      const { a: second } = await sdk.read(['a']);
      assert.equal(second.count, 2);
      assert.notEqual(second.eTag, first.eTag);
    });

    const refused: readonly [string, (read: { readonly eTag: string }) => object][] = [
      ['made from an outdated read', ({ eTag }) => ({ count: 3, eTag })],
      ['of something new that is there already', () => ({ count: 3 })],
      ['under an eTag that never was', () => ({ count: 3, eTag: 'made-up' })],
    ];
    for (const [what, change] of refused) {
      it(`refuses a write ${what}, with all that comes with it`, async () => {
        await sdk.write({ a: { count: 1 } });
        const { a: read } = await sdk.read(['a']);
        await sdk.write({ a: { ...read, count: 2 } });
        await assert.rejects(sdk.write({ b: { count: 1 }, a: change(read) }), StateConflict);
        const { a, b } = await sdk.read(['a', 'b']);
        assert.equal(a.count, 2);
        assert.equal(b, undefined);
      });
    }

    it('overwrites where it is told to', async () => {
      await sdk.write({ a: { count: 1 } });
      await sdk.write({ a: { count: 2, eTag: '*' } });
      assert.equal((await sdk.read(['a'])).a.count, 2);
    });

    it('lets one of two that read the same write, and refuses the other', async () => {
      await sdk.write({ a: { count: 0 } });
      const { a } = await sdk.read(['a']);
      const both = await Promise.allSettled([1, 2].map((count) => sdk.write({ a: { ...a, count } })));
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    });

    it('keeps the state of a flow that is written with the SDK, from turn to turn', async () => {
      const state = new ConversationState(sdk);
      const turns = state.createProperty<number>('turns');
      const adapter = new TestAdapter(async (context) => {
        const count = (await turns.get(context, 0)) + 1;
        await turns.set(context, count);
        await context.sendActivity(`turn ${count}`);
        await state.saveChanges(context);
      });
      await adapter.test('hello', 'turn 1').test('again', 'turn 2').startTest();
    });
  });
}
