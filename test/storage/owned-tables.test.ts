// The tables of the core and of the capabilities, in programs that have some of them.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { ownedTables } from '../../src/compose/bot/capability.ts';
import { capabilities } from '../../src/compose/capabilities.ts';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { coreTables, migrationsOf, newest, type OwnedTables, openStorage } from '../../src/storage/index.ts';
import { allTables } from '../support/all-tables.ts';
import { newDatabase } from '../support/postgres.ts';
import { intent } from '../support/samples.ts';
import { databaseKinds } from '../support/tier.ts';

const going = new AbortController().signal;

describe('the migrations of the bot', () => {
  it('have these names, whoever they belong to: databases know them by name', () => {
    const all = migrationsOf([coreTables, ...ownedTables(capabilities)]);
    assert.deepEqual(Object.keys(all('sqlite')).sort(), [
      '0001-first',
      '0002-traceparent',
      '0003-replicas',
      '0004-answers',
      '0005-ages',
      '0006-subject',
      '0007-chat-bounds',
      '0008-alike',
      '0010-numbers',
      '0011-cancel-requests',
      '0012-handoffs',
      '0020-flow-versions',
      '0021-outcome-hooks',
      '0023-desk',
      '0025-calls',
      '0026-hub-places',
      '0028-running-chats',
      '0029-callers',
      '0031-ratings',
      '0032-unheard',
      '0034-packed-chats',
      '0035-idle-states',
      '0038-agents-by-subject',
      '0039-said',
      '0041-plain-chats',
      '0042-agents',
      '0043-handoff-verification',
    ]);
    assert.deepEqual(Object.keys(all('postgres')), Object.keys(all('sqlite')));
  });

  it('have one owner each, and a number of their own, up to the newest', () => {
    const names = [coreTables, ...ownedTables(capabilities)].flatMap(({ migrations }) => Object.keys(migrations('sqlite')));
    const numbers = names.map((name) => Number(name.slice(0, 4)));
    assert.equal(new Set(numbers).size, names.length);
    assert.equal(Math.max(...numbers), newest);
  });

  it('are those of the tests', () => assert.deepEqual(ownedTables(capabilities), allTables));
});

for (const kind of databaseKinds)
  describe(`the tables of capabilities on ${kind}`, () => {
    let folder: string;
    let url: string | undefined;
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'countersign-owned-'));
      url = kind === 'postgres' ? await newDatabase() : undefined;
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    const open = (tables: readonly OwnedTables[]) => openStorage(folder, { url, tables });

    /** Every column and index, as `table.column` or the index's name. */
    const shape =
      ({ db }: Database<unknown>) =>
      async () => {
        const columns =
          kind === 'sqlite'
            ? sql<{
                name: string;
              }>`select t.name || '.' || c.name as name from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'
              union select name from sqlite_master where type = 'index'`
            : sql<{
                name: string;
              }>`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
              union select indexname from pg_indexes where schemaname = 'public'`;
        return (await columns.execute(db)).rows.map(({ name }) => name).sort();
      };
    const shapeOf = async (...opened: readonly (readonly OwnedTables[])[]) => {
      for (const tables of opened.slice(0, -1)) await (await open(tables)).close();
      const storage = await open(opened.at(-1) ?? []);
      const found = await storage.of(shape)();
      await storage.close();
      return found;
    };

    it('stay where they are when the program no longer has their owners, and work again when it has', async () => {
      const before = await open(allTables);
      await before.interactions.record(intent('a', { agentId: 'mara@example.com', conversation: '["urn:chat","one"]' }));
      const asked = { id: 'h', conversation: '["urn:chat","one"]', address: '{}', hub: 'desk', reason: 'asked', language: 'en' };
      await before.of(makeHandoffStore).add(asked, { type: 'requested', key: 'requested', data: {} });
      await before.close();

      const core = await open([]);
      await core.interactions.record(intent('b', { customerRef: 'other' }));
      assert.equal((await core.interactions.get('a'))?.agentId, 'mara@example.com');
      assert.ok(!('handoff' in (await core.purge(30, going))));
      await core.botState.move('["urn:chat","one"]', 'https://elsewhere.example/');
      assert.match((await core.interactions.get('a'))?.address ?? '', /elsewhere/);
      assert.equal((await core.erasure.count('customer-0001')).rows.interaction, 1);
      await core.close();

      const after = await open(allTables);
      assert.equal((await after.of(makeHandoffStore).get('h'))?.hub, 'desk');
      assert.equal(after.of(makeHandoffStore), after.of(makeHandoffStore));
      assert.deepEqual((await after.erasure.erase('customer-0001')).rows.handoff, 1);
      assert.ok(await after.interactions.get('b'));
      await after.close();
    });

    it('are the same, in whatever order the program got their owners', async () => {
      const [flows, handoff, desk, programs] = allTables as [OwnedTables, OwnedTables, OwnedTables, OwnedTables];
      const grown = await shapeOf([], [handoff], [handoff, desk], [programs], [flows, handoff, desk, programs]);
      rmSync(folder, { recursive: true });
      folder = mkdtempSync(join(tmpdir(), 'countersign-owned-'));
      url &&= await newDatabase();
      assert.deepEqual(grown, await shapeOf(allTables));
    });

    it('do not excuse a database of a newer version', async () => {
      const later = `${String(newest + 1).padStart(4, '0')}-later`;
      await (await open([{ migrations: () => ({ [later]: { up: async () => {} } }) }])).close();
      await assert.rejects(open(allTables), /created by a newer version/);
    });
  });
