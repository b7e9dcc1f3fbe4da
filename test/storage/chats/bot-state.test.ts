import assert from 'node:assert/strict';
import { StateConflict } from '../../../src/storage/chats/bot-state.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';

for (const backend of backends) {
  describe(`bot state on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());

    it('returns what was written, with a new eTag each time', async () => {
      const { botState } = storage;
      assert.deepEqual(await botState.read(['a']), {});
      await botState.write({ a: { json: '{"count":1}' } });
      const { a: first } = await botState.read(['a', 'b']);
      assert.equal(first?.json, '{"count":1}');
      await botState.write({ a: { json: '{"count":2}', etag: first?.etag } });
      const { a: second } = await botState.read(['a']);
      assert.equal(second?.json, '{"count":2}');
      assert.notEqual(second?.etag, first?.etag);
    });

    it('refuses a write made from an outdated read', async () => {
      const { botState } = storage;
      await botState.write({ a: { json: '{"count":1}' } });
      const { a: read } = await botState.read(['a']);
      await botState.write({ a: { json: '{"count":2}', etag: read?.etag } });
      await assert.rejects(botState.write({ a: { json: '{"count":3}', etag: read?.etag } }), StateConflict);
      await assert.rejects(botState.write({ a: { json: '{"count":3}' } }), StateConflict);
      assert.equal((await botState.read(['a'])).a?.json, '{"count":2}');
    });

    it('writes all or nothing', async () => {
      const { botState } = storage;
      await botState.write({ a: { json: '{}' } });
      await assert.rejects(botState.write({ b: { json: '{}' }, a: { json: '{}' } }), StateConflict);
      assert.deepEqual(Object.keys(await botState.read(['a', 'b'])), ['a']);
    });

    it('can be overwritten and deleted', async () => {
      const { botState } = storage;
      await botState.write({ a: { json: '{"count":1}', etag: '*' } });
      await botState.write({ a: { json: '{"count":2}', etag: '*' } });
      assert.equal((await botState.read(['a'])).a?.json, '{"count":2}');
      await botState.delete(['a']);
      assert.deepEqual(await botState.read(['a']), {});
    });
  });
}
