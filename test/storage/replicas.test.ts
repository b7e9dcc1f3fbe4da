import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import type { Interaction } from '../../src/interactions/interaction.ts';
import { openDatabase } from '../../src/platform/database/open-database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { first } from '../../src/storage/migrations/0001-first.ts';
import { migrations } from '../../src/storage/migrations/index.ts';
import type { LeaseTiming } from '../../src/storage/shared-replica.ts';
import { newDatabase } from '../support/postgres.ts';
import { accepted, intent, succeeded } from '../support/samples.ts';
import { until } from '../support/until.ts';

const ids = (interactions: readonly Interaction[]) => interactions.map(({ id }) => id);
const waiting = async ({ interactions }: Storage, id: string) =>
  (await interactions.apply(await interactions.record(intent(id)), accepted)) ?? assert.fail();

describe('the only replica', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('claims after a restart all that was unfinished', async () => {
    const before = await openStorage(folder);
    const held = await waiting(before, 'b');
    await before.interactions.record(intent('a', { createdAt: Date.now() }));
    const told = await waiting(before, 'c');
    await before.interactions.apply(told, succeeded);
    await before.interactions.apply(told, { kind: 'delivered' });
    await before.close();
    const after = await openStorage(folder);
    const claimed = await after.interactions.claim();
    assert.deepEqual(ids(claimed), ['a', 'b']);
    assert.equal(await after.interactions.apply(held, succeeded), undefined);
    assert.ok(await after.interactions.apply(claimed[1] ?? assert.fail(), succeeded));
    await after.close();
  });

  it('leaves nothing open where it cannot start', async () => {
    const file = join(folder, 'bot.db');
    await (await openStorage(folder)).close();
    const broken = await openDatabase({ file, log: makeLog('silent') }, migrations);
    await sql`drop table replica`.execute(broken.db);
    await broken.close();
    for (const _ of ['at first', 'again']) await assert.rejects(openStorage(folder), /no such table: replica/);
  });
});

for (const kind of ['sqlite', 'postgres'] as const) {
  it(`the previous version's database on ${kind} is brought up to date, and open interactions are claimed`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-'));
    const url = kind === 'postgres' ? await newDatabase() : undefined;
    const old = await openDatabase({ file: join(folder, 'bot.db'), url, log: makeLog('silent') }, (of) => ({ '0001-first': first(of) }));
    await sql`insert into interaction (id, app, state, conversation, address, session_ref, customer_ref, phone_number, request, progress, mistyped,
      told, created_at, deadline) values ('a', 'payments', 'waiting', 'c', '{}', 's', 'c', '+1', '{}', '{}', 0, 0, 1, 2)`.execute(old.db);
    await old.close();
    const storage = await openStorage(folder, { url });
    assert.deepEqual(ids(await storage.interactions.claim()), ['a']);
    await storage.close();
    rmSync(folder, { recursive: true });
  });
}

describe('several replicas', () => {
  const quick: LeaseTiming = { lease: 1_000, renew: 200, check: 50 };
  let url: string;
  const open: Storage[] = [];
  const children: ChildProcess[] = [];
  const join = async () => {
    const storage = await openStorage(undefined, { url, timing: quick });
    open.push(storage);
    return storage;
  };
  const spawn = async (...held: string[]) => {
    const script = fileURLToPath(new URL('../support/replica-process.ts', import.meta.url));
    const child = fork(script, [url, JSON.stringify(quick), ...held], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    children.push(child);
    await once(child, 'message');
    return child;
  };
  /** Claims until as many are held as expected; tells how long that took, in milliseconds. */
  const claims = async ({ interactions }: Storage, expected: number) => {
    const began = performance.now();
    const held: Interaction[] = [];
    await until(async () => held.push(...(await interactions.claim())) >= expected, `${expected} claimed`);
    return { held, took: Math.round(performance.now() - began) };
  };
  beforeEach(async () => {
    url = await newDatabase();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
    }
    for (const storage of open.splice(0)) await storage.close();
  });

  it('share the work of a killed one, each interaction once, in less than its lease', async () => {
    const all = Array.from({ length: 700 }, (_, index) => `i${String(index).padStart(4, '0')}`);
    const dead = await spawn(...all);
    const [one, other] = [await join(), await join()];
    dead.kill('SIGKILL');
    const began = performance.now();
    const held: Interaction[][] = [[], []];
    await until(async () => {
      const [left, right] = await Promise.all([one.interactions.claim(), other.interactions.claim()]);
      held[0]?.push(...left);
      held[1]?.push(...right);
      return held.flat().length >= all.length;
    });
    console.log(`        taken over after ${Math.round(performance.now() - began)} ms`);
    assert.deepEqual(ids(held.flat()).sort(), all);
  });

  it('claim from one that stalls when its lease ends; it notices when it resumes', async () => {
    const stalled = await spawn('a', 'b');
    const other = await join();
    stalled.kill('SIGSTOP');
    assert.deepEqual(await other.interactions.claim(), []);
    const { held } = await claims(other, 2);
    stalled.kill('SIGCONT');
    stalled.send('write');
    assert.deepEqual(await once(stalled, 'message').then(([count]) => count), 0);
    for (const one of held) assert.ok(await other.interactions.apply(one, succeeded));
  });
});
