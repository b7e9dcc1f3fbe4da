import assert from 'node:assert/strict';
import { Client } from 'pg';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { backends } from '../support/backends.ts';
import { newDatabase } from '../support/postgres.ts';
import { itOnPostgres } from '../support/tier.ts';

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
      await storage.flowVersions.keep(version);
      await Promise.all(Array.from({ length: 5 }, () => storage.flowVersions.keep({ ...version, body: 'other' })));
      assert.deepEqual(await storage.flowVersions.read(version.version), version);
      assert.equal(await storage.flowVersions.read('b'.repeat(32)), undefined);
      const [listed, another] = await storage.flowVersions.list();
      assert.equal(another, undefined);
      assert.ok(Math.abs((listed?.begunAt ?? 0) - storage.clock.now()) < 60_000);
    });

    it('list the chats that are in them', async () => {
      await storage.botState.write({ in: { json: `{"flowVersion":"${version.version}"}` }, out: { json: '{}' } });
      const states = await storage.flowVersions.statesIn(version.version);
      assert.deepEqual(Object.keys(states), ['in']);
      assert.ok(states.in?.etag);
    });

    it('are deleted when they are old', async () => {
      await storage.flowVersions.keep(version);
      assert.equal((await storage.retention.purge(1, going)).flow_version, 0, 'it is new');
      assert.equal((await storage.retention.purge(-1, going)).flow_version, 1);
      assert.equal(await storage.flowVersions.read(version.version), undefined);
    });
  });
}

describe('an old version of a flow', () => {
  itOnPostgres('stays while a chat is in it', async () => {
    const url = await newDatabase();
    const admin = new Client({ connectionString: url });
    await admin.connect();
    const storage = await openStorage(undefined, { url });
    try {
      const other = { ...version, version: 'c'.repeat(32) };
      await storage.flowVersions.keep(version);
      await storage.flowVersions.keep(other);
      await admin.query('update flow_version set begun_at = 1');
      await storage.botState.write({ in: { json: `{"flowVersion":"${version.version}"}` } });
      assert.equal((await storage.retention.purge(30, going)).flow_version, 1);
      assert.ok(await storage.flowVersions.read(version.version));
      assert.equal(await storage.flowVersions.read(other.version), undefined);
    } finally {
      await storage.close();
      await admin.end();
    }
  });
});
