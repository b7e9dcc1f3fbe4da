import assert from 'node:assert/strict';
import { StateConflict } from '../../../src/storage/chats/bot-state.ts';
import type { Storage } from '../../../src/storage/index.ts';
import { backends } from '../../support/backends.ts';
import { intent } from '../../support/samples.ts';
import { until } from '../../support/until.ts';

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
      await botState.write({ b: { json: '{}' } });
      await botState.delete([]);
      await botState.delete(['a']);
      assert.deepEqual(Object.keys(await botState.read(['a', 'b'])), ['b']);
    });

    it('answers a delivery that comes again as it did first', async () => {
      const { botState } = storage;
      const delivery = { name: 'one', stateKey: 'a' };
      assert.equal(await botState.answerTo(delivery), undefined);
      await botState.write({}, { delivery, answer: { first: true } });
      await botState.write({}, { delivery, answer: { first: false } });
      assert.deepEqual(await botState.answerTo(delivery), { first: true });
      assert.equal(await botState.answerTo({ ...delivery, name: 'two' }), undefined);
    });

    it('lists the conversations that run, newest first, as they were last written', async () => {
      const { botState } = storage;
      const list = async (limit = 9, withinMs = 60_000) =>
        (await botState.running(withinMs, limit)).map(({ key, running }) => [key, running]);
      for (const key of ['a', 'b', 'c', 'd']) {
        await botState.write({ [key]: { json: '{}', running: key === 'c' ? undefined : { key } } });
        const at = Date.now();
        await until(() => Date.now() > at, 'another millisecond');
      }
      const { d } = await botState.read(['d']);
      await botState.write({ d: { json: '{}', etag: d?.etag } });
      assert.deepEqual(await list(), [
        ['b', { key: 'b' }],
        ['a', { key: 'a' }],
      ]);
      await botState.write({ a: { json: '{}', etag: '*', running: { key: 'again' } } });
      assert.deepEqual(await list(1), [['a', { key: 'again' }]]);
      assert.deepEqual(await list(9, -60_000), []);
      const [{ savedAt } = assert.fail()] = await botState.running(60_000, 1);
      assert.ok(Math.abs(savedAt - Date.now()) < 30_000);
    });

    it('moves what is still to be said in a conversation to another service URL', async () => {
      const { botState, interactions } = storage;
      for (const [id, conversation] of [
        ['a', 'one'],
        ['b', 'two'],
        ['c', 'one'],
      ] as const) {
        const recorded = await interactions.record(intent(id, { conversation }));
        if (id === 'c') for (const kind of ['lost', 'delivered'] as const) await interactions.apply(recorded, { kind });
      }
      await botState.move('one', 'https://elsewhere.example/');
      const addresses = await Promise.all(['a', 'b', 'c'].map(async (id) => (await interactions.get(id))?.address));
      const { address } = intent('a');
      assert.deepEqual(addresses, [JSON.stringify({ ...JSON.parse(address), serviceUrl: 'https://elsewhere.example/' }), address, '']);
    });
  });
}
