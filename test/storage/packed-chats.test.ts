// Chats of earlier versions, and the room that answered cards leave.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { makeLog } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/platform/open-database.ts';
import { migrations, openStorage, type Schema, type Storage } from '../../src/storage/index.ts';
import { keptActivity } from '../support/kept-activity.ts';
import { newDatabase } from '../support/postgres.ts';
import { databaseKinds } from '../support/tier.ts';

const log = makeLog('silent');
const card = {
  from: { role: 'bot' },
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: 'x'.repeat(2_000) }],
};

for (const kind of databaseKinds) {
  describe(`the rows of chats on ${kind}`, () => {
    let folder: string;
    let url: string | undefined;
    const look = (known = migrations) => openDatabase<Schema>({ file: join(folder, 'bot.db'), url, log }, known);
    /** Works with a storage, and lets go of it. */
    const within = async (work: (storage: Storage) => Promise<void>) => {
      const storage = await openStorage(folder, { url });
      await work(storage).finally(() => storage.close());
    };
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-packed-'));
      url = kind === 'postgres' ? await newDatabase() : undefined;
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('of an earlier version are still readable, with their keys and files', async () => {
      const before = await look((of) => Object.fromEntries(Object.entries(migrations(of)).filter(([name]) => name < '0034')));
      const old = { id: 'a1', type: 'message', text: 'é', ...card };
      for (const id of ['a', 'b']) {
        await sql`insert into chat (id, user_id, watermark, started, created_at, active_at) values (${id}, 'user', 2, 1, 1, 1)`.execute(
          before.db,
        );
        await sql`insert into chat_activity (chat_id, activity_id, position, revision, activity, dedupe_key, awaits_turn)
          values (${id}, 'a2', 2, 2, '{"id":"a2"}', ${'customer:k'}, 1), (${id}, 'a1', 1, 1, ${JSON.stringify(old)}, null, 0)`.execute(
          before.db,
        );
      }
      await sql`insert into chat_file (id, chat_id, name, content_type, content) values ('f', 'b', 'n', 't/t', ${Buffer.from('x')})`.execute(
        before.db,
      );
      await before.close();
      await within(async ({ chats }) => {
        const page = await chats.page('b', { since: 0, after: 0, limit: 10 });
        assert.deepEqual(page?.activities, [
          { position: 1, activity: old },
          { position: 2, activity: { id: 'a2' } },
        ]);
        assert.deepEqual(await chats.append('b', { id: 'a3' }, { dedupeKey: 'customer:k' }), { id: 'a2', added: false, awaitsTurn: true });
        assert.equal((await chats.append('b', { id: 'a3' }))?.added, true);
        assert.equal(await chats.replace('b', 'a1', (was) => ({ ...was, ...card, text: 'new' })), true);
        assert.deepEqual(await keptActivity(chats, 'b', 'a1'), { ...old, text: 'new' });
        assert.deepEqual(await keptActivity(chats, 'a', 'a1'), old);
        assert.equal((await chats.file('b', 'f'))?.name, 'n');
        await chats.open('c', 'user', 1);
        assert.equal((await chats.append('c', { id: 'a1' }))?.added, true);
      });
    });

    it('of a card are deleted when it is answered, and all of them with their chat', async () => {
      const cards = async () => {
        const { close, db } = await look();
        const { rows } = await sql<{ position: number }>`select position from chat_card order by position`.execute(db);
        await close();
        return rows.map(({ position }) => position);
      };
      await within(async ({ chats }) => {
        await chats.open('a', 'user', 1);
        for (const id of ['1', '2', '3']) await chats.append('a', { id, ...card });
      });
      assert.deepEqual(await cards(), [1, 2, 3]);
      await within(async ({ chats }) => {
        await chats.replace('a', '2', ({ id }) => ({ id, text: 'answered' }));
        await chats.replace('a', '3', ({ id }) => ({ id, text: 'changed', ...card }));
        assert.deepEqual(await keptActivity(chats, 'a', '2'), { id: '2', text: 'answered' });
      });
      assert.deepEqual(await cards(), [1, 3]);
      await within(async ({ erasure, botState }) => {
        await botState.write({ '["x","a"]': { json: '{"customerRef":"c-1"}' } });
        await erasure.erase('c-1');
      });
      assert.deepEqual(await cards(), []);
    });
  });
}
