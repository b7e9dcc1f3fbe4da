import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { newDatabase } from '../support/postgres.ts';
import { databaseKinds } from '../support/tier.ts';

const day = 24 * 60 * 60_000;
const going = new AbortController().signal;

/** Everything there is was used last so long ago (ms). */
type Age = (ms: number) => Promise<void>;
const statements = (ms: number) => {
  const at = Date.now() - ms;
  return [`update chat set active_at = ${at}`, `update bot_state set saved_at = ${at}`];
};

for (const kind of databaseKinds) {
  describe(`what was used today is not deleted, however old it is (${kind})`, () => {
    let storage: Storage;
    let age: Age;
    let close: () => Promise<void>;
    beforeEach(async () => {
      if (kind === 'sqlite') {
        const folder = mkdtempSync(join(tmpdir(), 'countersign-ages-'));
        storage = await openStorage(folder);
        age = async (ms) => {
          const db = new DatabaseSync(join(folder, 'bot.db'), { timeout: 5_000 });
          for (const statement of statements(ms)) db.exec(statement);
          db.close();
        };
        close = async () => rmSync(folder, { recursive: true });
      } else {
        const url = await newDatabase();
        const client = new Client({ connectionString: url });
        await client.connect();
        storage = await openStorage(undefined, { url });
        age = async (ms) => {
          for (const statement of statements(ms)) await client.query(statement);
        };
        close = () => client.end();
      }
      await storage.chats.open('chat', 'user', 1);
      await storage.botState.write({ state: { json: '{}' } });
    });
    afterEach(async () => {
      await storage.close();
      await close();
    });

    const purged = async () => {
      const { chat, bot_state } = await storage.purge(30, going);
      return { chat, bot_state };
    };
    const etag = async () => (await storage.botState.read(['state'])).state?.etag;

    it('unused data is deleted, whether it is listed or not', async () => {
      await storage.botState.write({ listed: { json: '{}', running: {} } });
      await age(31 * day);
      assert.deepEqual(await purged(), { chat: 1, bot_state: 2 });
    });

    const uses: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['a message', () => storage.chats.append('chat', { id: '1' })],
      [
        'a changed message',
        async () => {
          await storage.chats.append('chat', { id: '1' });
          await age(31 * day);
          await storage.chats.replace('chat', '1', (before) => ({ ...before, text: 'changed' }));
        },
      ],
    ];
    for (const [what, use] of uses) {
      it(`a chat is used by ${what}`, async () => {
        await age(31 * day);
        await use();
        assert.equal((await purged()).chat, 0);
      });
    }

    for (const [what, expected] of [
      ['over what was read', etag],
      ['over whatever is there', async () => '*'],
    ] as const) {
      it(`a state is used by a write ${what}`, async () => {
        await age(31 * day);
        await storage.botState.write({ state: { json: '{"a":1}', etag: await expected() } });
        assert.equal((await purged()).bot_state, 0);
      });
    }
  });
}
