// What was taken out of a chat is not to be read in the database's files either.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/storage/index.ts';
import { keptActivity } from '../support/kept-activity.ts';

describe('a message that is removed from a chat', () => {
  it('is in no file of the database any more, not even the WAL', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-taken-'));
    const storage = await openStorage(folder);
    try {
      const { chats } = storage;
      await chats.open('a', 'user', 1);
      const secret = '654321-canary';
      const holding = () => readdirSync(folder).filter((file) => readFileSync(join(folder, file)).includes(secret));
      for (let count = 0; count < 5; count++) await chats.append('a', { id: `before-${count}`, text: 'x'.repeat(300 * count) });
      await chats.append('a', { id: 'code', text: secret });
      for (let count = 0; count < 5; count++) await chats.append('a', { id: `after-${count}`, text: 'x'.repeat(300 * count) });
      assert.notDeepEqual(holding(), []);
      await chats.takeBack('a', 'code', ({ id }) => ({ id, type: 'messageDelete' }));
      assert.deepEqual(holding(), []);
      assert.deepEqual(await keptActivity(chats, 'a', 'code'), { id: 'code', type: 'messageDelete' });
      assert.equal(await chats.takeBack('a', 'nowhere', (before) => before), false);
    } finally {
      await storage.close();
      rmSync(folder, { recursive: true });
    }
  });
});
