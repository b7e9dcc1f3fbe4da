import assert from 'node:assert/strict';
import { Client } from 'pg';
import sinon from 'sinon';
import type { Interaction } from '../../src/interactions/interaction.ts';
import { LeaseLost } from '../../src/interactions/ports.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import type { LeaseTiming } from '../../src/storage/shared-replica.ts';
import { newDatabase } from '../support/postgres.ts';
import { accepted, intent, succeeded } from '../support/samples.ts';
import { until } from '../support/until.ts';

const ids = (interactions: readonly Interaction[]) => interactions.map(({ id }) => id);
const waiting = async ({ interactions }: Storage, id: string) =>
  (await interactions.apply(await interactions.record(intent(id)), accepted)) ?? assert.fail();

describe('replicas that share a database', () => {
  const quick: LeaseTiming = { lease: 1_000, renew: 200, check: 50 };
  /** Nobody looks around by itself. */
  const slow: LeaseTiming = { lease: 60_000, renew: 60_000, check: 60_000 };
  let url: string;
  let lines: string[];
  const open: Storage[] = [];
  const admins: Client[] = [];
  const join = async (timing = quick) => {
    const log = makeLog('debug', { write: (line) => void lines.push(line) });
    const storage = await openStorage(undefined, { url, timing, log });
    open.push(storage);
    return storage;
  };
  const administer = async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    admins.push(client);
    return client;
  };
  /** Claims until as many are held as expected. */
  const claims = async ({ interactions }: Storage, expected: number) => {
    const held: Interaction[] = [];
    await until(async () => held.push(...(await interactions.claim())) >= expected, `${expected} claimed`);
    return held;
  };
  beforeEach(async () => {
    url = await newDatabase();
    lines = [];
  });
  afterEach(async () => {
    for (const storage of open.splice(0)) await storage.close();
    for (const client of admins.splice(0)) await client.end();
  });

  it('do not claim what another owns', async () => {
    const [one, other] = [await join(), await join()];
    const held = await waiting(one, 'a');
    assert.deepEqual(await other.interactions.claim(), []);
    const seen = (await other.interactions.get('a')) ?? assert.fail();
    assert.equal(await other.interactions.apply(seen, succeeded), undefined);
    assert.equal(await other.interactions.apply(held, succeeded), undefined);
    assert.equal(await other.interactions.advance(held, 'sent', 1), undefined);
    assert.ok(await one.interactions.apply(held, succeeded));
  });

  it('claim from one that stops, at once, after its notification', async () => {
    const [one, other] = [await join(slow), await join(slow)];
    await waiting(one, 'a');
    let told = 0;
    other.interactions.follow({ lost: () => {}, taken: () => {}, free: () => (told += 1) });
    let late = 0;
    const unfollow = other.interactions.follow({ lost: () => {}, taken: () => {}, free: () => (late += 1) });
    unfollow();
    await open.shift()?.close();
    await until(() => told > 1);
    assert.equal(late, 1, 'only when it began to listen');
    assert.deepEqual(ids(await other.interactions.claim()), ['a']);
  });

  it('claim an interaction whose customer is here, after which its earlier owner cannot write', async () => {
    const [one, other] = [await join(), await join()];
    const before = await waiting(one, 'a');
    const told: string[] = [];
    one.interactions.follow({ lost: () => {}, free: () => {}, taken: (id) => told.push(id) });
    const taken = (await other.interactions.takeOver('a')) ?? assert.fail();
    assert.equal(await one.interactions.apply(before, succeeded), undefined);
    await until(() => told.includes('a'));
    // Back again: what was begun before it was away stays void.
    const again = (await one.interactions.takeOver('a')) ?? assert.fail();
    assert.equal(await one.interactions.apply(before, succeeded), undefined);
    assert.equal(await other.interactions.apply(taken, succeeded), undefined);
    assert.ok(await one.interactions.apply(again, succeeded));
  });

  it('do not claim an intent while its request may still be in progress', async () => {
    const [one, other] = [await join(), await join()];
    await one.interactions.record(intent('fresh', { createdAt: one.clock.now() }));
    await one.interactions.record(intent('stale', { createdAt: one.clock.now() - 16_000 }));
    await open.shift()?.close();
    assert.deepEqual(ids(await claims(other, 1)), ['stale']);
    assert.deepEqual(await other.interactions.claim(), []);
  });

  it('report a lost lease, start nothing without one, and recover', async () => {
    const storage = await join();
    const told: string[] = [];
    storage.interactions.follow({ lost: () => told.push('lost'), free: () => told.push('free'), taken: () => {} });
    const held = await waiting(storage, 'a');
    const admin = await administer();
    await admin.query('update replica set lease_until = 0');
    await assert.rejects(storage.interactions.record(intent('b')), LeaseLost);
    assert.deepEqual(await storage.interactions.claim(), []);
    await until(() => told.includes('lost'));
    await until(() => told.indexOf('free', told.indexOf('lost')) > 0);
    assert.equal(await storage.interactions.apply(held, succeeded), undefined);
    assert.deepEqual(ids(await storage.interactions.claim()), ['a']);
    await admin.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`);
    await until(() => told.filter((what) => what === 'lost').length === 2);
    assert.deepEqual(ids(await claims(storage, 1)), ['a']);
    assert.match(lines.join(''), /"level":"warn".*the lease is lost/);
  });

  it('are able to work only while they have their lease', async () => {
    const [one, other] = [await join(slow), await join(slow)];
    await one.ping();
    await (await administer()).query('update replica set lease_until = 0');
    await assert.rejects(other.ping(), /the lease is lost/);
  });

  it('write the rows of a turn in one order, so that no two wait for each other', async () => {
    const { botState } = await join();
    const [holder, observer] = [await administer(), await administer()];
    const write = () => botState.write({ b: { json: '{}', etag: '*' }, a: { json: '{}', etag: '*' } });
    await write();
    await holder.query('begin');
    await holder.query(`select 1 from bot_state where key = 'a' for update`);
    const writing = write();
    const stuck = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await until(async () => (await observer.query(stuck)).rowCount === 1, 'the writer to wait for the first row');
    await holder.query(`select 1 from bot_state where key = 'b' for update nowait`);
    await holder.query('commit');
    await writing;
  });

  it('renew, look after each other and find what is free in one statement; one that is alone does only that', async () => {
    const query = sinon.spy(Client.prototype, 'query');
    try {
      const texts = () => query.getCalls().map(({ args: [one] }) => String((one as { text?: string })?.text ?? one));
      /** Without what shows every ten seconds that the connection that listens is alive. */
      const asked = () => texts().filter((text) => text !== 'select 1');
      const renewals = () => asked().filter((text) => /^with "dead" .* update "replica" set /s.test(text)).length;
      const checks = () => asked().filter((text) => /^with "dead" .*\) select /s.test(text)).length;
      const rest = () => asked().length - renewals() - checks();
      await join();
      // What joining and the bus still ask for has been asked by then.
      await until(() => renewals() > 2);
      const before = { checks: checks(), renewals: renewals(), rest: rest() };
      await until(() => renewals() > before.renewals + 4);
      assert.deepEqual([checks(), rest()], [before.checks, before.rest]);
      let free = 0;
      (await join()).interactions.follow({ lost: () => {}, taken: () => {}, free: () => (free += 1) });
      await until(() => checks() > before.checks + 4, 'each to look for the other');
      // When it began to listen, and once more if a stall made the other look dead; not at every look.
      assert.ok(free >= 1 && free <= 2, `${free}`);
      assert.doesNotMatch(lines.join(''), /another replica is gone/);
    } finally {
      query.restore();
    }
  });

  it('use one clock, whatever their own clocks show', async () => {
    const one = await join();
    const clock = sinon.useFakeTimers({ now: Date.now() + 600_000, toFake: ['Date'] });
    try {
      const other = await join();
      assert.ok(Math.abs(one.clock.now() - other.clock.now()) < 1_000);
      assert.ok(Math.abs(Date.now() - other.clock.now()) > 590_000);
      // A lease taken by one whose own clock is ahead ends no later for that.
      await waiting(other, 'a');
      assert.deepEqual(await one.interactions.claim(), []);
    } finally {
      clock.restore();
    }
  });
});
