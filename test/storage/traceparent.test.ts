import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Migrator } from 'kysely/migration';
import type { Intent } from '../../src/interactions/interaction.ts';
import { openSqlite } from '../../src/platform/database/sqlite.ts';
import { openStorage } from '../../src/storage/index.ts';
import { first } from '../../src/storage/migrations/0001-first.ts';
import type { Schema } from '../../src/storage/schema.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const intent: Intent = {
  id: 'a',
  app: 'payments',
  conversation: 'c',
  address: '{}',
  sessionRef: 'session-0001',
  customerRef: 'customer-0001',
  phoneNumber: '+12025550101',
  request: { sessionRef: 'session-0001', phoneNumber: '+12025550101', productId: 'p1' },
  createdAt: 1000,
  deadline: 2000,
};

describe('an interaction’s place in a trace', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-storage-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('survives a restart', async () => {
    const before = await openStorage(folder);
    await before.interactions.record({ ...intent, traceparent });
    await before.close();
    const after = await openStorage(folder);
    assert.equal((await after.interactions.get('a'))?.traceparent, traceparent);
    await after.close();
  });

  it('is missing if there was none, also in rows of an earlier version', async () => {
    const db = openSqlite<Schema>(join(folder, 'bot.db'));
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => ({ '0001-first': first('sqlite') }) },
    }).migrateToLatest();
    assert.equal(error, undefined);
    const row = {
      ...{ id: 'old', app: 'payments', state: 'waiting', conversation: 'c', address: '{}', session_ref: 's', customer_ref: 'c' },
      ...{ phone_number: '+1', request: '{}', request_id: 'r', ws_token: 'w', progress: '{}', mistyped: 0, told: 0 },
      ...{ created_at: 1000, deadline: 2000 },
    };
    await db
      .insertInto('interaction')
      .values(row as never)
      .execute();
    await db.destroy();
    const storage = await openStorage(folder);
    await storage.interactions.record(intent);
    await storage.interactions.release();
    const kept = await storage.interactions.claim();
    assert.deepEqual(
      new Map(kept.map(({ id, ...fields }) => [id, 'traceparent' in fields])),
      new Map([
        ['a', false],
        ['old', false],
      ]),
    );
    await storage.close();
  });
});
