// Chats of earlier versions.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { coreTables, openStorage, type Schema, type Storage } from '../../src/storage/index.ts';
import { keptActivity } from '../support/kept-activity.ts';
import { newDatabase } from '../support/postgres.ts';
import { databaseKinds } from '../support/tier.ts';

const log = makeLog('silent');
const card = {
  from: { role: 'bot' },
  attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: 'x'.repeat(2_000) }],
};

const bot = { id: 'bot', name: 'Bot', role: 'bot' };
const said = Date.parse('2026-11-01T10:00:00.000Z');
const line = (index: number) => ({ type: 'TextBlock', text: `Line ${index} é`, wrap: true });
const confirmation = { type: 'AdaptiveCard', version: '1.2', fallbackText: 'Confirm', body: [0, 1, 2, 3, 4, 5].map(line) };
/** The attachments with that card, as version 0.1.0 stored them. */
const deflated = 'WGYmcIWao6NHCLjEOT8vLbMIFP5J+SmVBOLUJzMvVcFA4fBKlMhFSq9Y0gFYjyEZeozI0GNMhh4TMvSYYuiJra2NrQUAtG+g+Q==';

/** A row of an activity as that version stored it. */
interface Row {
  readonly id: string;
  readonly by: 'bot' | 'user' | null;
  readonly at: number | null;
  readonly activity: string;
}

for (const kind of databaseKinds) {
  describe(`chats of earlier versions on ${kind}`, () => {
    let folder: string;
    let url: string | undefined;
    /** The database as it was before the migration of that name. */
    const openBefore = (name: string) =>
      openDatabase<Schema>({ file: join(folder, 'bot.db'), url, log }, (of) =>
        Object.fromEntries(Object.entries(coreTables.migrations(of)).filter(([known]) => known < name)),
      );
    /** Works with a storage, and lets go of it. */
    const within = async (work: (storage: Storage) => Promise<void>) => {
      const storage = await openStorage(folder, { url });
      await work(storage).finally(() => storage.close());
    };
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-earlier-'));
      url = kind === 'postgres' ? await newDatabase() : undefined;
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it('are still readable, with their keys and files, of a version that named chats in every row', async () => {
      const before = await openBefore('0034');
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

    it('are whole of a version that deflated cards and left out what a side says alike', async () => {
      const { db, close } = await openBefore('0041');
      const sides = JSON.stringify({ channelId: 'directline', bot });
      for (const [id, number] of [
        ['chat-1', 1],
        ['chat-2', 2],
      ])
        await sql`insert into chat (id, number, user_id, watermark, started, created_at, active_at, sides)
          values (${id}, ${number}, 'user-1', 600, 1, 1, 1, ${id === 'chat-1' ? sides : null})`.execute(db);
      const add = (number: number, position: number, row: Row) =>
        sql`insert into chat_activity (chat_number, activity_id, position, revision, said_by, said_at, size, activity, awaits_turn)
          values (${number}, ${row.id}, ${position}, ${position}, ${row.by}, ${row.at}, 1, ${row.activity}, 0)`.execute(db);
      await add(1, 1, { id: 'u1', by: 'user', at: said, activity: '{"type":"message","text":"Hello"}' });
      await add(1, 2, { id: 'b1', by: 'bot', at: said, activity: '{"type":"message","text":"Please confirm."}' });
      await sql`insert into chat_card (chat_number, position, card) values (1, 2, ${Buffer.from(deflated, 'base64')})`.execute(db);
      await add(2, 1, { id: 'b1', by: null, at: null, activity: '{"type":"message","text":"As it was","timestamp":"earlier"}' });
      // More than are read at once.
      for (let index = 2; index <= 600; index += 1)
        await add(2, index, { id: `n${index}`, by: null, at: said, activity: `{"text":"${index}"}` });
      await close();
      const timestamp = new Date(said).toISOString();
      const common = { type: 'message', timestamp, channelId: 'directline', conversation: { id: 'chat-1' } };
      const user = { id: 'user-1', role: 'user' };
      await within(async ({ chats }) => {
        const page = await chats.page('chat-1', { since: 0, after: 0, limit: 10 });
        assert.deepEqual(page?.activities, [
          { position: 1, activity: { ...common, id: 'u1', text: 'Hello', from: user, recipient: bot } },
          {
            position: 2,
            activity: {
              ...common,
              ...{ id: 'b1', text: 'Please confirm.', from: bot, recipient: user },
              attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: confirmation }],
            },
          },
        ]);
        assert.deepEqual(await keptActivity(chats, 'chat-2', 'b1'), { id: 'b1', type: 'message', text: 'As it was', timestamp: 'earlier' });
        assert.deepEqual(await keptActivity(chats, 'chat-2', 'n600'), { id: 'n600', text: '600', timestamp });
        assert.equal(await chats.replace('chat-1', 'b1', ({ id }) => ({ id, text: 'answered' })), true);
        assert.deepEqual(await keptActivity(chats, 'chat-1', 'b1'), { id: 'b1', text: 'answered' });
      });
    });
  });
}
