import assert from 'node:assert/strict';
import { Client } from 'pg';
import { makeHandoffStore } from '../../src/handoff/index.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { allTables } from '../support/all-tables.ts';
import { backends } from '../support/backends.ts';
import { keptActivity } from '../support/kept-activity.ts';
import { newDatabase } from '../support/postgres.ts';
import { accepted, intent, succeeded } from '../support/samples.ts';
import { itOnPostgres } from '../support/tier.ts';
import { until } from '../support/until.ts';

const day = 24 * 60 * 60_000;
const going = new AbortController().signal;
const delivery = (name: string) => ({ name, stateKey: 'k' });

/** One that was told, long ago unless said otherwise. */
const told = async ({ interactions }: Storage, id: string, createdAt = 1) => {
  const recorded = await interactions.record(intent(id, { createdAt }));
  for (const transition of [accepted, succeeded, { kind: 'delivered' } as const]) assert.ok(await interactions.apply(recorded, transition));
};

for (const backend of backends) {
  describe(`retention on ${backend.kind}`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await backend.open();
    });
    afterEach(() => storage.close());

    it('removes what was delivered long ago, in batches, and nothing that is pending or new', async () => {
      // A few at a time: what keeps a busy machine for longer than a lease loses it, and nothing can be told then.
      for (let from = 0; from < 510; from += 30)
        await Promise.all(Array.from({ length: 30 }, (_, index) => told(storage, `old-${from + index}`)));
      await told(storage, 'new', storage.clock.now());
      await storage.interactions.record(intent('untold'));
      await storage.chats.open('chat', 'user', 1);
      await storage.botState.write({ state: { json: '{}' } }, { delivery: delivery('a'), answer: {} });
      assert.equal((await storage.purge(30, going)).interaction, 510);
      assert.ok(await storage.interactions.get('new'));
      assert.ok(await storage.interactions.get('untold'));
      assert.ok(await storage.chats.get('chat'));
      assert.ok((await storage.botState.read(['state'])).state);
      assert.ok(await storage.botState.answerTo(delivery('a')));
      assert.deepEqual(Object.values(await storage.purge(30, going)).filter(Boolean), []);
    });

    it('removes chats with everything in them, and their state', async () => {
      await storage.chats.open('chat', 'user', 1);
      await storage.chats.append('chat', { id: '1' });
      await storage.chats.keepFile('chat', 'f', { name: 'n', contentType: 't/t', content: new Uint8Array([1]) });
      await storage.botState.write({ state: { json: '{}' } });
      const removed = await storage.purge(-1, going);
      assert.deepEqual([removed.chat, removed.bot_state], [1, 1]);
      assert.equal(await keptActivity(storage.chats, 'chat', '1'), undefined);
      assert.equal(await storage.chats.file('chat', 'f'), undefined);
    });

    it('removes a handoff that nobody ended once the bot has forgotten its chat, and not before', async () => {
      const { botState } = storage;
      const handoffs = storage.of(makeHandoffStore);
      for (const id of ['forgotten', 'known']) {
        const more = { address: '{}', hub: 'desk', reason: 'asked', language: 'en' };
        await handoffs.add({ id, conversation: `chat of ${id}`, ...more }, { type: 'requested', key: 'requested', data: {} });
        await handoffs.take(id, { id: 'mara@example.com' });
      }
      assert.equal((await storage.purge(1, going)).handoff, 0, 'they are new');
      const begun = storage.clock.now();
      await until(() => storage.clock.now() > begun + 400, 'a customer who writes later');
      await botState.write({ 'chat of known': { json: '{}' } });
      let age = storage.clock.now() - begun - 50;
      // A whole number of milliseconds again, as days.
      while ((age / day) * day !== age) age -= 1;
      assert.equal((await storage.purge(age / day, going)).handoff, 1);
      assert.deepEqual([(await handoffs.get('forgotten'))?.id, (await handoffs.get('known'))?.id], [undefined, 'known']);
      assert.deepEqual(
        (await handoffs.list('desk', 10)).map(({ id }) => id),
        ['known'],
      );
    });

    it('counts a day as 24 hours: a row a minute older goes, one a minute younger stays', async () => {
      const now = storage.clock.now();
      await told(storage, 'older', now - 30 * day - 60_000);
      await told(storage, 'younger', now - 30 * day + 60_000);
      assert.equal((await storage.purge(30, going)).interaction, 1);
      assert.equal(await storage.interactions.get('older'), undefined);
      assert.ok(await storage.interactions.get('younger'));
    });
  });
}

describe('retention between replicas', () => {
  itOnPostgres(
    'removes answers after an hour, and replicas and turns that are gone, unless something is still to be claimed from them',
    async () => {
      const url = await newDatabase();
      const storage = await openStorage(undefined, { url, tables: allTables });
      const admin = new Client({ connectionString: url });
      await admin.connect();
      await storage.botState.write({}, { delivery: delivery('a'), answer: {} });
      await storage.turnLeases?.take('k', 'h', 1);
      await storage.interactions.record(intent('left'));
      await admin.query(`insert into replica (id, lease_until, lock_key) values ('dead', 1, 1), ('dead-with-work', 1, 2)`);
      await admin.query(`update interaction set owner = 'dead-with-work'`);
      await admin.query('update answer set created_at = 1');
      await admin.query('update turn_lease set lease_until = 1');
      assert.deepEqual(await storage.purge(30, going), {
        handoff: 0,
        interaction: 0,
        bot_state: 0,
        desk_accesses: 0,
        desk_sessions: 0,
        desk_sign_ins: 0,
        flow_version: 0,
        chat: 0,
        answer: 1,
        replica: 1,
        turn_lease: 1,
      });
      assert.deepEqual(
        (await storage.interactions.claim()).map(({ id }) => id),
        ['left'],
      );
      await admin.end();
      await storage.close();
    },
  );
});
