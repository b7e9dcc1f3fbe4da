import assert from 'node:assert/strict';
import { Client } from 'pg';
import { flowTables, makeFlowVersions } from '../../../src/flows/index.ts';
import { openStorage, type Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { newDatabase } from '../../support/postgres.ts';
import { itOnPostgres } from '../../support/tier.ts';

const going = new AbortController().signal;
const version = { version: 'a'.repeat(32), flow: 'trial', body: '{"trial":"flow: trial"}' };

for (const backend of backends) {
  describe(`versions of flows on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());

    it('are kept once, as they were, however often they are begun', async () => {
      await storage.of(makeFlowVersions).keep(version);
      await Promise.all(Array.from({ length: 5 }, () => storage.of(makeFlowVersions).keep({ ...version, body: 'other' })));
      assert.deepEqual(await storage.of(makeFlowVersions).read(version.version), version);
      assert.equal(await storage.of(makeFlowVersions).read('b'.repeat(32)), undefined);
      const [listed, another] = await storage.of(makeFlowVersions).list();
      assert.equal(another, undefined);
      assert.ok(Math.abs((listed?.begunAt ?? 0) - storage.clock.now()) < 60_000);
    });

    it('list the chats that are in them', async () => {
      await storage.botState.write({ in: { json: `{"flowVersion":"${version.version}"}` }, out: { json: '{}' } });
      const states = await storage.of(makeFlowVersions).statesIn(version.version);
      assert.deepEqual(Object.keys(states), ['in']);
      assert.ok(states.in?.etag);
    });

    it('are deleted when they are old', async () => {
      await storage.of(makeFlowVersions).keep(version);
      assert.equal((await storage.purge(1, going)).flow_version, 0, 'it is new');
      assert.equal((await storage.purge(-1, going)).flow_version, 1);
      assert.equal(await storage.of(makeFlowVersions).read(version.version), undefined);
    });
  });
}

describe('an old version of a flow', () => {
  itOnPostgres('stays while a chat is in it', async () => {
    const url = await newDatabase();
    const admin = new Client({ connectionString: url });
    await admin.connect();
    const storage = await openStorage(undefined, { url, tables: [flowTables] });
    try {
      const other = { ...version, version: 'c'.repeat(32) };
      await storage.of(makeFlowVersions).keep(version);
      await storage.of(makeFlowVersions).keep(other);
      await admin.query('update flow_version set begun_at = 1');
      await storage.botState.write({ in: { json: `{"flowVersion":"${version.version}"}` } });
      assert.equal((await storage.purge(30, going)).flow_version, 1);
      assert.ok(await storage.of(makeFlowVersions).read(version.version));
      assert.equal(await storage.of(makeFlowVersions).read(other.version), undefined);
    } finally {
      await storage.close();
      await admin.end();
    }
  });
});
