import assert from 'node:assert/strict';
import type { ChatStore, Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { keptActivity } from '../../support/kept-activity.ts';

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

    it('are opened once, and belong to the user who opened them', async () => {
      assert.deepEqual(await chats.open('a', 'another', 2), { id: 'a', userId: 'user', watermark: 0, started: false, takenTo: 0 });
      await chats.start('a');
      assert.equal((await chats.get('a'))?.started, true);
      assert.equal(await chats.get('b'), undefined);
    });

    it('store when a call’s gateway last asked, and what it has taken, each part once', async () => {
      await chats.hear('a', 1234);
      assert.deepEqual(await Promise.all([chats.takeOn('a', 0, 3), chats.takeOn('a', 0, 3)]).then((both) => both.sort()), [false, true]);
      assert.equal(await chats.takeOn('a', 0, 5), false);
      assert.equal(await chats.takeOn('b', 0, 5), false);
      assert.equal(await chats.takeOn('a', 3, 5), true);
      const { heardAt, takenTo } = (await chats.get('a')) ?? {};
      assert.deepEqual([heardAt, takenTo], [1234, 5]);
    });

    it('keep activities in order, and return those after a watermark', async () => {
      for (const id of ['1', '2', '3']) await chats.append('a', { id });
      assert.deepEqual(await page(0), { ids: ['1', '2', '3'], positions: [1, 2, 3], watermark: 3 });
      assert.deepEqual((await page(2)).ids, ['3']);
      assert.deepEqual((await page(0, 1, 1)).ids, ['2']);
    });

    it('tell the watermarks of more than a thousand, each of them', async () => {
      const ids = Array.from({ length: 1_002 }, (_, index) => `chat-${index}`);
      for (let from = 0; from < ids.length; from += 50)
        await Promise.all(ids.slice(from, from + 50).map((id) => chats.open(id, 'user', 1)));
      const found = await chats.watermarks([...ids, 'nobody']);
      assert.deepEqual([...found.keys()].sort(), [...ids].sort());
      assert.equal((await chats.watermarks([])).size, 0);
    });

    it('keep an update in its place, after the watermark', async () => {
      for (const id of ['1', '2']) await chats.append('a', { id, text: 'old' });
      assert.equal(await chats.replace('a', '1', (before) => ({ ...before, text: 'new' })), true);
      assert.deepEqual(await page(2), { ids: ['1'], positions: [1], watermark: 3 });
      assert.deepEqual((await page(0)).ids, ['1', '2']);
      assert.deepEqual(await keptActivity(chats, 'a', '1'), { id: '1', text: 'new' });
      assert.equal(await chats.replace('a', '9', (before) => before), false);
      assert.equal(await chats.replace('a', '2', () => undefined), false);
      assert.equal(await chats.replace('b', '2', (before) => before), false);
    });

    it('are read in parts of bounded size, with larger activities alone', async () => {
      for (const id of ['1', '2', '3', '4']) await chats.append('a', { id, text: 'é'.repeat(id === '3' ? 500 : 50) });
      const size = Buffer.byteLength(JSON.stringify({ id: '1', text: 'é'.repeat(50) }));
      const read = async (bytes: number, after = 0) => {
        const part = await chats.page('a', { since: 0, after, limit: 10, bytes });
        return [part?.activities.map(({ activity }) => activity.id), part?.more];
      };
      assert.deepEqual(await read(2 * size), [['1', '2'], true]);
      assert.deepEqual(await read(2 * size - 1), [['1'], true]);
      assert.deepEqual(await read(size, 2), [['3'], true]);
      assert.deepEqual(await read(size, 3), [['4'], false]);
      assert.deepEqual(await read(size, 4), [[], false]);
      assert.deepEqual(await read(10_000), [['1', '2', '3', '4'], false]);
      assert.equal((await chats.page('a', { since: 0, after: 0, limit: 4 }))?.more, true);
    });

    it('have limits of bytes and of changes, and refused additions count nothing', async () => {
      const activity = (id: string) => ({ id, text: 'é'.repeat(50) });
      const bytes = 3 * Buffer.byteLength(JSON.stringify(activity('1')));
      const add = async (id: string, bounds: { bytes: number; revisions: number }, dedupeKey?: string) => {
        const { added, full } = (await chats.append('a', activity(id), { bounds, dedupeKey })) ?? {};
        return [added, full];
      };
      const bounds = { bytes, revisions: 100 };
      assert.deepEqual(await add('1', bounds, 'k'), [true, undefined]);
      assert.deepEqual(await add('2', bounds), [true, undefined]);
      assert.deepEqual(await add('2', bounds, 'k'), [false, undefined]);
      assert.deepEqual(await add('3', { ...bounds, bytes: bytes - 1 }), [false, true]);
      assert.deepEqual(await add('3', bounds), [true, undefined]);
      assert.deepEqual(await add('4', bounds), [false, true]);
      assert.equal((await chats.append('a', activity('5')))?.added, true, 'the bot may always answer');
      const revisions = ((await chats.get('a'))?.watermark ?? 0) + 1;
      assert.deepEqual(await add('6', { bytes: 1e6, revisions: revisions - 1 }), [false, true]);
      assert.deepEqual(await add('6', { bytes: 1e6, revisions: revisions + 1 }), [true, undefined]);
    });

    it('are ended by their own user only, for good, also before they are opened', async () => {
      await chats.append('a', { id: '1' });
      await chats.end('a', 'another');
      assert.equal((await chats.get('a'))?.ended, undefined);
      await chats.end('a', 'user');
      const { ended, watermark } = (await chats.get('a')) ?? {};
      assert.deepEqual([ended, watermark], [true, 2]);
      assert.equal(await chats.page('a', { since: 0, after: 0, limit: 10 }), undefined);
      await chats.end('a', 'user');
      assert.equal((await chats.get('a'))?.watermark, 2);
      await chats.end('b', 'user');
      const fresh = { id: 'b', userId: 'user', watermark: 0, started: false, takenTo: 0 };
      assert.deepEqual(await chats.open('b', 'user', 1), { ...fresh, ended: true });
    });

    it('add an activity once under a key, and remember whether its turn was taken', async () => {
      const options = { dedupeKey: 'k', awaitsTurn: true };
      const stored = { since: 0, watermark: 1, activities: [{ position: 1, activity: { id: '1' } }] };
      assert.deepEqual(await chats.append('a', { id: '1' }, options), { id: '1', added: true, awaitsTurn: true, stored });
      assert.deepEqual(await chats.append('a', { id: '2' }, options), { id: '1', added: false, awaitsTurn: true });
      assert.deepEqual(await chats.awaiting('a', '1'), { id: '1' });
      await chats.settle('a', '1');
      assert.deepEqual(await chats.append('a', { id: '3' }, options), { id: '1', added: false, awaitsTurn: false });
      assert.equal(await chats.awaiting('a', '1'), undefined);
      await chats.open('b', 'user', 1);
      assert.equal((await chats.append('b', { id: '1' }, options))?.added, true);
      assert.equal(await chats.append('nowhere', { id: '1' }), undefined);
    });

    it('accept any text a client may send', async () => {
      const options = { dedupeKey: 'k\0\uD800' };
      assert.equal((await chats.append('a', { id: '1', text: '\0\uD800é' }, options))?.added, true);
      assert.equal((await chats.append('a', { id: '2' }, options))?.added, false);
      assert.deepEqual(await keptActivity(chats, 'a', '1'), { id: '1', text: '\0\uD800é' });
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
