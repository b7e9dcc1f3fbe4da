import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBus } from '../../../../src/platform/database/bus.ts';
import { makeLog } from '../../../../src/platform/log.ts';
import { system } from '../../../../src/service/core/audit/origin.ts';
import { dueRequests } from '../../../../src/service/core/lifecycle/request-scheduler.ts';
import { makeListeners } from '../../../../src/service/core/listeners.ts';
import { dueDeliveries } from '../../../../src/service/core/messages/dispatch.ts';
import { makeSeal } from '../../../../src/service/core/secrets/seal.ts';
import { openStorage, type Storage } from '../../../../src/service/core/store/index.ts';
import { makeAnnounce } from '../../../../src/service/webhooks/announce.ts';
import { dueWebhooks } from '../../../../src/service/webhooks/dispatch.ts';
import { newDatabase } from '../../../support/postgres.ts';
import { acceptance, acceptedAt as now } from '../../../support/stored-request.ts';
import { until } from '../../../support/until.ts';

const log = makeLog('silent');

describe('due work between two replicas', () => {
  let storages: [Storage, Storage];
  beforeEach(async () => {
    const url = await newDatabase();
    let made = 0;
    const newId = () => `event-${made++}`;
    const webhooks = [{ url: 'https://hooks.example.com/', keys: [], events: undefined }];
    const announce = makeAnnounce([{ account: { id: 'account' }, webhooks }], newId);
    const open = () =>
      openStorage({
        dataDir: 'none',
        url,
        newId,
        seal: makeSeal('the-pepper-of-this-test-and-no-other'),
        log,
        announce,
      });
    storages = [await open(), await open()];
    for (const id of ['a', 'b', 'c']) {
      await storages[0].requests.accept(acceptance(id));
    }
  });
  afterEach(() => Promise.all(storages.map((storage) => storage.close())));

  it('is a message of one of them until its claim ends, and then of the other, whose outcome counts', async () => {
    const [stalled, other] = storages;
    const [ofStalled, ofOther] = [dueDeliveries(stalled), dueDeliveries(other)];
    const [claimed, ...more] = await ofStalled.claim(now, 10, 1);
    assert.ok(claimed);
    assert.equal(more.length, 0);
    assert.equal((await ofOther.claim(now + 9, 11, 10)).length, 2, 'the two that are left');
    const again = await ofOther.claim(now + 10, 20, 10);
    assert.deepEqual(
      again.map(({ id }) => id),
      [claimed.id],
    );
    assert.equal(await stalled.changes.delivered(claimed, now + 11), false);
    await ofStalled.change(claimed, { due_at: now });
    await ofStalled.remove(claimed);
    assert.equal(await ofOther.nextDue(), now + 20);
    assert.equal(await other.changes.delivered(again[0] ?? assert.fail(), now + 12), true);
    assert.deepEqual(
      (await other.requests.events(claimed.request_id)).map(({ type }) => type),
      ['task.sent'],
    );
  });

  it('includes webhooks, each stored once, by the replica that caused it', async () => {
    const [stalled, other] = storages;
    const endpoint = { accountId: 'account', url: 'https://hooks.example.com/' };
    const [ofStalled, ofOther] = [dueWebhooks(stalled, endpoint), dueWebhooks(other, endpoint)];
    assert.deepEqual(
      await Promise.all(storages.map(({ changes }) => changes.cancel('a', now, { actor: 'system' }))).then((done) => done.sort()),
      [false, true],
    );
    const claims = await Promise.all([ofStalled, ofOther].map((webhooks) => webhooks.claim(now, 10, 10)));
    const [claimed, ...more] = claims.flat();
    assert.ok(claimed);
    assert.deepEqual([claimed.type, more.length], ['request.cancelled', 0]);
    const [again] = await ofOther.claim(now + 10, 20, 10);
    assert.equal(again?.id, claimed.id);
    await ofStalled.change(claimed, { due_at: now, dead_at: now });
    await ofStalled.remove(claimed);
    assert.equal(await ofOther.nextDue(), now + 30);
    await ofOther.remove(again);
    assert.equal(await ofOther.nextDue(), undefined);
  });

  it('is claimed by one of two that ask at once', async () => {
    const claims = await Promise.all(storages.map((storage) => dueDeliveries(storage).claim(now, 10, 10)));
    assert.deepEqual(
      claims
        .flat()
        .map(({ id }) => id)
        .sort(),
      ['message-a', 'message-b', 'message-c'],
    );
    const ended = await Promise.all(storages.map((storage) => dueRequests(storage).claim(now + 1000, 1000, 10)));
    assert.deepEqual(
      ended
        .flat()
        .map(({ id }) => id)
        .sort(),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(await dueRequests(storages[0]).claim(now + 1999, 1001, 10), []);
    assert.equal((await dueRequests(storages[1]).claim(now + 2000, 1000, 10)).length, 3, 'who claimed them is gone');
  });

  it('is skipped while another transaction has it', async () => {
    const [first, second] = storages;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding = false;
    const effect = first.changes.finish('a', {
      status: 'timeout',
      result: {},
      at: now,
      beforeExpiry: false,
      by: system,
      effect: async () => {
        holding = true;
        await held;
        return true;
      },
    });
    await until(() => holding);
    const claimed = await dueRequests(second).claim(now + 1000, 1000, 10);
    assert.deepEqual(claimed.map(({ id }) => id).sort(), ['b', 'c']);
    release();
    assert.equal(await effect, true);
  });
});

for (const kind of ['sqlite', 'postgres'] as const)
  it(`the states of any number of requests are read in one statement, on ${kind}`, async () => {
    const url = kind === 'postgres' ? await newDatabase() : undefined;
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    const seal = makeSeal('the-pepper-of-this-test-and-no-other');
    const storage = await openStorage({ dataDir: folder, url, newId: () => 'event', seal, log });
    for (const id of ['a', 'b', 'c']) await storage.requests.accept(acceptance(id));
    // Postgres takes 65,535 parameters.
    const many = Array.from({ length: 70_000 }, (_, index) => `unknown-${index}`);
    const found = await storage.requests.states(['a', ...many, 'c']);
    assert.deepEqual(found.map(({ id, state, lastSeq }) => [id, state, lastSeq]).sort(), [
      ['a', 'pending', 0],
      ['c', 'pending', 0],
    ]);
    assert.deepEqual(await storage.requests.states([]), []);
    await storage.close();
    rmSync(folder, { recursive: true });
  });

describe('a follower of a request', () => {
  it('learns about a change once, even if its notification was lost', async () => {
    let lastSeq = 1;
    let looks = 0;
    const requests = {
      states: async (ids: readonly string[]) => {
        looks += 1;
        return ids.map((id) => ({ id, state: 'pending', lastSeq }));
      },
    };
    const bus = makeBus();
    const listeners = makeListeners(bus, log, requests);
    let told = 0;
    const stop = listeners.on('a', { changed: () => (told += 1), position: () => 1 });
    bus.publish('request');
    await until(() => looks === 1);
    assert.equal(told, 0, 'it has everything');
    lastSeq = 2;
    // Nobody says a word: it is looked for by itself.
    await until(() => told === 1, 'the change was found');
    const before = looks;
    bus.publish('request');
    await until(() => looks > before);
    assert.equal(told, 1);
    listeners.notify('a');
    assert.equal(told, 2);
    stop();
    listeners.notify('a');
    assert.equal(told, 2);
    await listeners.close();
  });
});
