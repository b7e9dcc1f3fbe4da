import assert from 'node:assert/strict';
import type { ChatStore } from '../../src/storage/chats.ts';
import type { Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';

for (const backend of backends) {
  describe(`the chats on ${backend.kind}`, () => {
    let storage: Storage;
    let chats: ChatStore;
    beforeEach(async () => {
      storage = await backend.open();
      chats = storage.chats;
      await chats.open('a', 'user', 1);
    });
    afterEach(() => storage.close());

    const page = async (since: number, after = 0, limit = 10) => {
      const { activities = [], watermark } = (await chats.page('a', { since, after, limit })) ?? {};
      return { ids: activities.map(({ activity }) => activity.id), positions: activities.map(({ position }) => position), watermark };
    };

    it('are opened once, and belong to who opened them', async () => {
      assert.deepEqual(await chats.open('a', 'another', 2), { id: 'a', userId: 'user', watermark: 0, started: false });
      await chats.start('a');
      assert.equal((await chats.get('a'))?.started, true);
      assert.equal(await chats.get('b'), undefined);
    });

    it('keep activities in order and tell what came after a watermark', async () => {
      for (const id of ['1', '2', '3']) await chats.append('a', { id });
      assert.deepEqual(await page(0), { ids: ['1', '2', '3'], positions: [1, 2, 3], watermark: 3 });
      assert.deepEqual((await page(2)).ids, ['3']);
      assert.deepEqual((await page(0, 1, 1)).ids, ['2']);
    });

    it('keep an update in its place, as something new', async () => {
      for (const id of ['1', '2']) await chats.append('a', { id, text: 'old' });
      assert.equal(await chats.replace('a', '1', (before) => ({ ...before, text: 'new' })), true);
      assert.deepEqual(await page(2), { ids: ['1'], positions: [1], watermark: 3 });
      assert.deepEqual((await page(0)).ids, ['1', '2']);
      assert.deepEqual(await chats.activity('a', '1'), { id: '1', text: 'new' });
      assert.equal(await chats.replace('a', '9', (before) => before), false);
      assert.equal(await chats.replace('a', '2', () => undefined), false);
      assert.equal(await chats.replace('b', '2', (before) => before), false);
    });

    it('add an activity once under a key, and remember whether its turn was taken', async () => {
      const options = { dedupeKey: 'k', awaitsTurn: true };
      assert.deepEqual(await chats.append('a', { id: '1' }, options), { id: '1', added: true, awaitsTurn: true });
      assert.deepEqual(await chats.append('a', { id: '2' }, options), { id: '1', added: false, awaitsTurn: true });
      assert.deepEqual(await chats.awaiting('a', '1'), { id: '1' });
      await chats.settle('a', '1');
      assert.deepEqual(await chats.append('a', { id: '3' }, options), { id: '1', added: false, awaitsTurn: false });
      assert.equal(await chats.awaiting('a', '1'), undefined);
      await chats.open('b', 'user', 1);
      assert.equal((await chats.append('b', { id: '1' }, options))?.added, true);
      assert.equal(await chats.append('nowhere', { id: '1' }), undefined);
    });

    it('take any text a client may send', async () => {
      const options = { dedupeKey: 'k\0\uD800' };
      assert.equal((await chats.append('a', { id: '1', text: '\0\uD800é' }, options))?.added, true);
      assert.equal((await chats.append('a', { id: '2' }, options))?.added, false);
      assert.deepEqual(await chats.activity('a', '1'), { id: '1', text: '\0\uD800é' });
      await chats.keepFile('a', 'f', { name: 'n\0', contentType: 't/t', content: new Uint8Array() });
      assert.equal((await chats.file('a', 'f'))?.name, 'n\uFFFD');
    });

    it('keep files with their chat only', async () => {
      await chats.keepFile('a', 'f', { name: 'n', contentType: 't/t', content: new Uint8Array([1, 2]) });
      assert.deepEqual(await chats.file('a', 'f'), { name: 'n', contentType: 't/t', content: new Uint8Array([1, 2]) });
      assert.equal(await chats.file('b', 'f'), undefined);
      assert.equal(await chats.countFiles('a'), 1);
    });
  });
}
